"""Static plots for papers and notebooks, drawn with matplotlib, which is imported when a plot is asked for."""
