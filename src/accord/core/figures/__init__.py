"""Figures: what is drawn, as frozen values with the numbers behind them; Matplotlib draws when it is asked to."""
