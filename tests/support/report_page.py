# What tests ask about the page of `twindex report --html`: its tables, ids, links, policy and texts, and what is wrong in its markup.
import html.parser

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(); self.ids = set(); self.elements = {}; self.tables = {}; self.inside = []; self.bad = []; self.hrefs = []; self.csp = ""
        self.inline = {"style": "", "script": ""}; self.table = None; self.sql = []; self.pre = self.said = ""
    def handle_starttag(self, tag, attributes):
        a = dict(attributes); self.elements[tag] = self.elements.get(tag, 0) + 1
        if "id" in a and a["id"] in self.ids: self.bad.append("id " + a["id"])
        self.ids.add(a.get("id"))
        for name in a:
            if name.startswith("on") or name in ("style", "src", "srcset", "srcdoc", "action", "formaction", "background"): self.bad.append(f"{tag} {name}")
        if "href" in a: self.hrefs.append(a["href"])
        if a.get("http-equiv") == "Content-Security-Policy": self.csp = a["content"]
        if tag == "table": self.table = self.tables[a.get("id")] = []
        if tag == "tr" and self.table is not None: self.table.append([])
        if tag in ("td", "th") and self.table is not None: self.table[-1].append("")
        if tag == "span" and a.get("class") == "sql": self.sql.append("")
        if tag not in ("meta", "link", "br", "input", "wbr"): self.inside.append((tag, a.get("class")))
    def handle_endtag(self, tag):
        if tag == "table": self.table = None
        while self.inside and self.inside.pop()[0] != tag: self.bad.append("unclosed before " + tag)
    def handle_data(self, data):
        self.said += data
        if not self.inside: return
        tag = self.inside[-1][0]
        if tag in self.inline: self.inline[tag] += data
        if any(of == "pre" for of, _ in self.inside): self.pre += data
        if ("span", "sql") in self.inside: self.sql[-1] += data
        if self.table and self.table[-1]: self.table[-1][-1] += data
