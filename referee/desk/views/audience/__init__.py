"""What is made for those who watch: publications, certificates, the projector and its logos."""
