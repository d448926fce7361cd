"""What a report and the plots show, computed from scores or a comparison; nothing here is drawn."""
