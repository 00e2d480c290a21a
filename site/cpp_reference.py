"""The C++ reference: what Doxygen reads in the installed headers, as Markdown pages."""

import re
import subprocess
import xml.etree.ElementTree as xml

SETTINGS = """
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
EXTRACT_ALL = YES
QUIET = YES
WARNINGS = NO
MARKDOWN_SUPPORT = NO
XML_PROGRAMLISTING = NO
"""


def write_cpp(root, pages, scratch):
    """Writes cpp.md with the headers that programs include, and cpp-types.md with those that these include."""
    entries, included = (
        re.findall(r"^\s+(accrete/[\w/]+\.hpp)", block, re.MULTILINE)
        for block in (root / "cmake" / "public_headers.cmake").read_text().split("set(")[1:]
    )
    by_header = _read([*entries, *included], root, scratch)
    about = (
        "Made by Doxygen from the installed headers. [C++](../docs/cpp.md) shows how to use them; the types that they"
        " mention are on the page [C++ types](cpp-types.md).\n"
    )
    _write_page(pages / "cpp.md", "C++", about, entries, by_header, root)
    about = "Headers that the [headers for programs](cpp.md) include.\n"
    _write_page(pages / "cpp-types.md", "C++ types", about, included, by_header, root)


def _write_page(path, title, about, headers, by_header, root):
    parts = [f"# {title}\n", about]
    for header in headers:
        documented = [text for _, text in sorted(by_header.get(header, []))]
        if documented:
            parts += [f"## `{header}`\n", _introduction(root / header), *documented]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts))


def _introduction(header):
    """The comment below `#pragma once`; an indented part is code."""
    match = re.match(r"#pragma once\n((?://.*\n)*)", header.read_text())
    lines = [re.sub(r"^// ?", "", line) for line in match[1].splitlines()] if match else []
    return "\n".join(f"    {line}" if line.startswith("  ") else _escape(line) for line in lines) + "\n"


def _read(headers, root, scratch):
    """Header -> list of (line, Markdown) of its types and functions."""
    scratch.mkdir(parents=True, exist_ok=True)
    settings = f"{SETTINGS}INPUT = {' '.join(headers)}\nOUTPUT_DIRECTORY = {scratch}\nSTRIP_FROM_PATH = {root}\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=root, check=True, capture_output=True)
    found = {}
    for file in sorted((scratch / "xml").glob("*.xml")):
        for compound in xml.parse(file).getroot().iter("compounddef"):
            if compound.get("kind") in ("class", "struct") and "::detail" not in compound.findtext("compoundname"):
                _add(found, compound, _type(compound))
            elif compound.get("kind") == "namespace" and not compound.findtext("compoundname").endswith("detail"):
                for member in compound.iter("memberdef"):
                    _add(found, member, _member(member, "###"))
    return found


def _add(found, element, text):
    location = element.find("location")
    if location is not None and text:
        found.setdefault(location.get("file"), []).append((int(location.get("line")), text))


def _type(compound):
    """A class or struct: fields as a table, then its functions."""
    if compound.get("prot", "public") != "public":
        return ""
    name = compound.findtext("compoundname")
    parts = [f"### {compound.get('kind')} {_escape(_short(name))}\n", _description(compound)]
    members = [m for s in compound.iter("sectiondef") for m in s.iter("memberdef") if m.get("prot") == "public"]
    members.sort(key=lambda member: int(member.find("location").get("line")))
    fields = [member for member in members if member.get("kind") == "variable"]
    if fields:
        parts += ["| field | meaning |", "|---|---|", *map(_field, fields), ""]
    parts += [_member(member, "") for member in members if member.get("kind") in ("function", "typedef", "enum")]
    return "\n".join(parts)


def _field(member):
    declaration = f"{_text(member.find('type'))} {member.findtext('name')}{member.findtext('argsstring') or ''}"
    initial = _text(member.find("initializer"))
    declaration += f" {initial}" if initial not in ("", "= {}") else ""
    code = declaration.replace("|", "\\|")
    return f"| `` {code} `` | {_description(member).strip().replace(chr(10), ' ')} |"


def _member(member, heading):
    """A function, an alias, an enumeration or a constant: its declaration and its description."""
    kind, name = member.get("kind"), member.findtext("qualifiedname") or member.findtext("name")
    if member.get("prot", "public") != "public" or kind not in ("function", "typedef", "enum", "variable"):
        return ""
    if name.endswith(("::operator=", "::operator==")) or "=delete" in (member.findtext("argsstring") or ""):
        return ""
    title = f"{heading} {_escape(_short(name))}\n" if heading else ""
    return f"{title}\n~~~~ cpp\n{_declaration(member)}\n~~~~\n\n{_description(member)}"


def _declaration(member):
    kind, name = member.get("kind"), member.findtext("name")
    if kind == "enum":
        values = ", ".join(value.findtext("name") for value in member.iter("enumvalue"))
        return f"enum class {name} {{ {values} }};" if member.get("strong") == "yes" else f"enum {{ {values} }};"
    if kind == "typedef":
        return f"using {name} = {_text(member.find('type'))}{member.findtext('argsstring') or ''};"
    if kind == "variable":
        return f"{_text(member.find('type'))} {name} {_text(member.find('initializer'))};".replace(" ;", ";")
    template = member.find("templateparamlist")
    prefix = ""
    if template is not None:
        params = [f"{_text(p.find('type'))} {p.findtext('declname') or ''}".strip() for p in template.iter("param")]
        prefix = f"template <{', '.join(params)}>\n"
    returned = _text(member.find("type"))
    arguments = re.sub(r" ?([&*]+)(?=\w)", r"\1 ", member.findtext("argsstring"))
    arguments = re.sub(r"(?<=\w)=(?=\S)", " = ", arguments)
    start = f"{returned + ' ' if returned else ''}{name}"
    if len(start + arguments) > 100:
        arguments = re.sub(r", (?=[^()<>]*(?:<[^()<>]*>[^()<>]*)*(?:[,)]))", ",\n    ", arguments)
    return f"{prefix}{start}{arguments};"


def _description(element):
    """The comment as Markdown paragraphs."""
    paragraphs = []
    for tag in ("briefdescription", "detaileddescription"):
        for paragraph in element.findall(f"{tag}/para"):
            paragraphs.append(_escape(" ".join("".join(paragraph.itertext()).split())))
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def _text(element):
    text = "" if element is None else " ".join("".join(element.itertext()).split())
    return re.sub(r"< (.*?)", r"<\1", text).replace(" >", ">").replace(" &", "&").replace(" *", "*")


def _short(name):
    return name.removeprefix("accrete::")


def _escape(text):
    """Text in which Markdown and HTML have no effect, except code between backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts = ["\\`".join(parts)]
    parts[::2] = [re.sub(r"([\\*_<>{}\[\]|])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)
