#!/usr/bin/env python3
"""The names of a page (docs/imported-text.md), read by Python's html.parser and json, for tests that compare html_names() with them.

names_of(html) -> the value of html_names(), None: none; made_page(rng) -> a page."""
import json
from html.parser import HTMLParser

PROPERTIES = {"name", "headline", "sku", "mpn", "identifier"}
LIMIT = 4096


def names_thing(name):
    return name in PROPERTIES or name.startswith("gtin")


def collapsed(text):
    for blank in "\t\n\f\r":
        text = text.replace(blank, " ")
    return " ".join(part for part in text.split(" ") if part)


class Pairs(list):
    """The members of a JSON object, repeated keys included."""


def values_in(value):
    """The values of naming properties, in the order of the text."""
    if isinstance(value, Pairs):
        for key, member in value:
            yield from named(member) if names_thing(key) else values_in(member)
    elif isinstance(value, list):
        for item in value:
            yield from values_in(item)


def named(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and not isinstance(value, Pairs):
        for at, item in enumerate(value):
            if isinstance(item, list):
                yield from values_in(value[at:])
                return
            if isinstance(item, str):
                yield item
    else:
        yield from values_in(value)


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.names, self.templates, self.json = [], 0, None

    def add(self, text):
        text = collapsed(text or "")
        if text and text not in self.names:
            self.names.append(text)

    def handle_starttag(self, tag, attributes):
        a = {}
        for name, value in attributes:
            a.setdefault(name, value or "")
        self.templates += tag == "template"
        if self.templates:
            return
        kind = a.get("type", "")
        if tag == "script" and kind.split(";")[0].strip().lower() == "application/ld+json":
            self.json = ""
        elif tag in ("img", "image", "area") or (tag == "input" and kind.lower() == "image"):
            self.add(a.get("alt"))
        elif any(names_thing(word) for word in a.get("itemprop", "").split()):
            self.add(a.get("content"))
        elif tag == "meta" and any(a.get(k, "").strip().lower() in ("og:title", "og:image:alt") for k in ("property", "name")):
            self.add(a.get("content"))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_data(self, data):
        if self.json is not None:
            self.json += data

    def handle_endtag(self, tag):
        if tag == "template" and self.templates:
            self.templates -= 1
        if tag == "script" and self.json is not None:
            text, self.json = self.json, None
            try:
                # numbers and literals that are no strings stay as they are written
                tree = json.loads(text, object_pairs_hook=Pairs, parse_int=str, parse_float=str, strict=False)
            except (ValueError, RecursionError):
                return
            for value in values_in(tree):
                self.add("".join("\ufffd" if "\ud800" <= c <= "\udfff" or c == "\0" else " " if c in "\b" else c for c in value))


def names_of(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    return joined(reader.names).decode() or None


def joined(names):
    """At most LIMIT bytes, no character cut; room for four bytes or fewer counts as none."""
    lines = b""
    for name in names:
        if LIMIT - len(lines) <= 4:
            break
        lines += b"\n" * bool(lines)
        lines += name.encode()[: LIMIT - len(lines)].decode(errors="ignore").encode()
    return lines


WORDS = ["Chair", "Ämber", "東京", "мир", "a&b", "x < y", '"q"', "it's", "  two\n words ", "12", "", "😀", "back\\slash", "tab\there"]


def any_text(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(4)))


def attribute(rng, text):
    quote = rng.choice("'\"")
    for old, new in (("&", "&amp;"), ("<", "&lt;"), ("'", "&#39;"), ('"', "&quot;")):
        text = text.replace(old, new)
    return quote + text + quote


def any_json(rng, depth=0):
    kind = rng.randrange(9 if depth < 5 else 5)
    if kind < 3:
        return any_text(rng)
    if kind == 3:
        return rng.choice([0, -7, 4006381333931, 12.5, 1e30])
    if kind == 4:
        return rng.choice([None, True, False])
    if kind == 5:
        return [any_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    keys = ["name", "headline", "sku", "mpn", "identifier", "gtin13", "@type", "names", "Name", "offers", "description", "url"]
    return {rng.choice(keys): any_json(rng, depth + 1) for _ in range(rng.randrange(5))}


def made_page(rng):
    page = ["<!doctype html><title>T</title>"]
    for _ in range(rng.randrange(12)):
        text = attribute(rng, any_text(rng))
        script = json.dumps(any_json(rng), ensure_ascii=rng.random() < .5, indent=rng.choice([None, 1])).replace("</", "<\\/")
        page.append(rng.choice([
            f"<img src=x alt={text}>", f"<p>a <IMG ALT={text}/> b", f"<map><area alt={text}></map>", f"<input type=Image alt={text}>",
            f"<input type=text alt={text}>", f"<meta property='og:title' content={text}>", f"<meta name=' OG:image:alt ' content={text}>",
            f"<meta property=og:type content={text}>", f"<meta itemprop='url name' content={text}>", f"<span itemprop=sku content={text}>t</span>",
            f"<span itemprop=price content={text}>t</span>", f"<template><img alt={text}><template></template><img alt={text}></template>",
            f"<noscript><img alt={text}></noscript>", f"<div hidden><img alt={text}></div>", f"<!-- <img alt={text}> -->", f"<style>/* <img alt={text}> */</style>",
            f"<script type='application/ld+json'>{script}</script>", f"<script type=\"Application/LD+JSON ; charset=utf-8\">\n{script}\n</script>",
            f"<script>var x = {script};</script>", f"<template><script type='application/ld+json'>{script}</script></template>",
        ]))
    return "".join(page)
