"""Checks the links of a built site: files and anchors exist, and no page loads anything from another host.

    python3 site/check_links.py FOLDER

Prints one line per broken link and exits with 1 if there is any. Links to other hosts are not followed.
"""

import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# Attributes that make a browser load something.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("link", "href")}


class Page(HTMLParser):
    """The anchors, links and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = {"", "top", "__top"}, set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        for name in ("href", "src"):
            if given.get(name) is None:
                continue
            # rel=canonical and the like name a page and load nothing.
            names_a_page = tag == "link" and given.get("rel") in ("canonical", "next", "prev", "alternate")
            loads = (tag, name) in LOADED and not names_a_page
            (self.loaded if loads else self.links).add(given[name])


def broken(folder):
    """Yields one line for each broken link below the folder."""
    folder = folder.resolve()
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for link in sorted(page.links | page.loaded):
            parts = urlsplit(link)
            if parts.scheme == "data" or parts.scheme in ("javascript", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    yield f"{name}: loads {link} from another host"
                continue
            # A page for missing addresses is shown at any depth, so its links start at the root.
            start = folder if parts.path.startswith("/") or name.name == "404.html" else path.parent
            target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{name}: no file for {link}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: no anchor for {link}"


def main():
    folder = pathlib.Path(sys.argv[1])
    lines = list(broken(folder))
    print(*lines, sep="\n", end="\n" if lines else "")
    print(f"links: {sum(1 for _ in folder.rglob('*.html'))} pages, {len(lines)} broken links")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
