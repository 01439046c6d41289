"""Names that a C++ file declares outside functions and classes, by the same rough reading as cpp_outline.py."""
import dataclasses
import re

from cpp_outline import ATTRIBUTE, Reader, without_templates

MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
TYPE = re.compile(r"(?:enum\s+class|enum\s+struct|enum|class|struct|union)\s+([A-Za-z_]\w*(?:::\w+)*)")
ALIAS = re.compile(r"using\s+(?:(\w+)\s*=|(?:typename\s+)?[\w:]*?(\w+)\s*$)")
NAME = re.compile(r"([A-Za-z_][\w:]*)\s*$")


@dataclasses.dataclass(frozen=True)
class Name:
    name: str
    line: int
    space: tuple  # the namespaces around it that have a name, e.g. ("firth", "text")
    private: bool  # no other file can mean it: an anonymous namespace, static, a constant, an alias
    alias: str = ""  # what follows using


def enumerators(statement):
    """Those of an enum that is not a class belong to the namespace around it."""
    body = re.match(r"[^{]*\benum\s+(?!class|struct)[^{]*\{([^}]*)\}?", statement, re.DOTALL)
    return re.findall(r"([A-Za-z_]\w*)\s*(?:=[^,]*)?(?:,|$)", body[1].strip()) if body else []


def names_of(statement):
    """The names that a declaration outside functions declares; none if it defines what is declared elsewhere (a::b)."""
    text = re.sub(r"\s+", " ", without_templates(ATTRIBUTE.sub(" ", statement))).strip()
    text = re.sub(r"^template (requires ?\([^()]*\))?", "", text)
    if text.startswith("using namespace"):
        return ["using " + text.split()[-1]]
    if text.startswith("using") and (match := ALIAS.match(text)):
        return [match[1] or match[2]]
    if text.startswith(("static_assert", "friend", "namespace", "extern template")) or re.search(r"\boperator\b", text.split("{")[0]):
        return []  # operators are found through the types of their operands
    if (match := TYPE.match(re.sub(r"^(?:typedef|inline|static|constexpr|const) ", "", text))) and "(" not in text.split("{")[0]:
        return ([] if "::" in match[1] else [match[1]]) + enumerators(statement)
    match = NAME.search(re.sub(r"\[[^\]]*\]\s*$", "", re.split(r"[=({]", text)[0]))
    return [match[1]] if match and "::" not in match[1] else []


class NameReader(Reader):
    """Walks over the braces of one file and keeps what it declares."""

    def __init__(self, text):
        super().__init__(text)
        self.names = [Name(match[1], text.count("\n", 0, match.start()) + 1, (), True) for match in MACRO.finditer(text)]

    def is_private(self, statement):
        anonymous = any(re.search(r"\bnamespace\s*$", scope.header) for scope in self.scopes if scope.kind == "namespace")
        words = re.match(r"(?:template\s*<[^;{}]*>\s*)?((?:inline|static|constexpr|const|using)\s+)*", statement.strip())[0].split()
        function = "(" in re.split("[={]", without_templates(statement))[0]
        constant = bool({"const", "constexpr"} & set(words)) and "inline" not in words and not function
        return anonymous or constant or bool({"static", "using"} & set(words))

    def space(self):
        headers = (re.search(r"\bnamespace\s+([\w:]+)\s*$", scope.header) for scope in self.scopes)
        return tuple(part for match in headers if match for part in match[1].split("::"))

    def keep(self, statement, at):
        if any(scope.kind != "namespace" for scope in self.scopes):
            return
        line = self.line_of(at + len(statement) - len(statement.lstrip()))
        alias = " ".join(statement.split()) if statement.split()[:1] == ["using"] else ""
        self.names += [Name(name, line, self.space(), self.is_private(statement), alias) for name in names_of(statement)]

    def open(self, at):
        start = self.start
        statement = self.text[start:at]
        super().open(at)
        if self.scopes[-1].kind in {"class", "function"}:
            scope = self.scopes.pop()
            self.keep(statement, start)
            self.scopes.append(scope)

    def end_statement(self, at):
        if not self.parentheses and self.scopes[-1].kind == "namespace":
            self.keep(self.text[self.start:at], self.start)
        super().end_statement(at)


def declared(text):
    """Every Name that the text declares at namespace scope, macros included."""
    reader = NameReader(text)
    reader.read()
    return reader.names
