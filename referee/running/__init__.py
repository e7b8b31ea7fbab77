"""How the service does, for who operates it and for the organiser in the hall: what every process has counted, added
up; signs of life; what waits; the requests and tasks by their number. Other machines read it at `/metrics`, people on
the desk's page *Running*.
"""
