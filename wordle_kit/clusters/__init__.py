"""Clusters of machines that play, by Dask."""
