"""What every act shares: who may, once-keys, refusals, history, jobs, announcements."""
