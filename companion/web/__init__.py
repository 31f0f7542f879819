"""The table's pages in a browser, and other ways to watch: the TV, exports, streams, MQTT and
hooks."""
