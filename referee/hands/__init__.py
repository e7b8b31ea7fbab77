"""One hand as a form: what is asked, typed values to facts and back, and its words; for phone, desk and public."""
