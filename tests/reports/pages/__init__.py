"""What the page says without script, approved world by world."""
