"""A downloader middleware for Scrapy: requests that Twindex expects to lead to duplicates are not downloaded.

'twindex learn STORE' learns from an earlier crawl which parts of URLs do not matter. In settings.py of the project:

    DOWNLOADER_MIDDLEWARES = {"scrapy_twindex.TwindexMiddleware": 50}
    TWINDEX_STORE = "/srv/search/index.db"
    # optional: how likely a duplicate has to be, the share of them that is fetched anyway, the program
    TWINDEX_THRESHOLD, TWINDEX_EXPLORATION, TWINDEX_PROGRAM = 0.98, 0.05, "twindex"
"""
import subprocess

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured


class TwindexMiddleware:
    def __init__(self, crawler):
        settings = crawler.settings
        if not settings.get("TWINDEX_STORE"):
            raise NotConfigured("TWINDEX_STORE is not set")
        command = [settings.get("TWINDEX_PROGRAM", "twindex"), "predict", "--filter"]
        command += ["--threshold", str(settings.getfloat("TWINDEX_THRESHOLD", 0.98))]
        command += ["--exploration", str(settings.getfloat("TWINDEX_EXPLORATION", 0.05)), settings.get("TWINDEX_STORE")]
        self.stats = crawler.stats
        self.filter = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        crawler.signals.connect(self.close, signal=signals.engine_stopped)

    from_crawler = classmethod(lambda cls, crawler: cls(crawler))

    def process_request(self, request, spider):
        if request.meta.setdefault("twindex_asked", 0):  # a retry of a request that passed
            return
        request.meta["twindex_asked"] = 1
        self.filter.stdin.write(request.url + "\n-\n")  # '-' is no URL, so it is always printed: the answer is complete
        answer = self.filter.stdout.readline()
        if not answer:
            raise RuntimeError("twindex has ended")
        if answer != "-\n":
            self.filter.stdout.readline()  # the '-' after the URL
        else:
            self.stats.inc_value("twindex/duplicates_not_fetched")
            raise IgnoreRequest(f"twindex expects a duplicate: {request.url}")

    def close(self):
        self.filter.stdin.close()
        self.filter.wait()
