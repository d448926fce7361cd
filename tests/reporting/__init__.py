"""What a report and the plots show."""
