"""A rough outline of C++ source: functions with their lengths and parameters, classes with their spans and data members.

It reads braces, not grammar: code that clang-format has laid out is all that it must understand. Comments, strings and
preprocessor lines are blanked first, so that line numbers stay as they are. Lambdas and classes within a function are part
of that function.
"""
import dataclasses
import re

BLANKED = re.compile(
    r'R"(?P<mark>[^()\\\s]{0,16})\((?:.|\n)*?\)(?P=mark)"'  # raw strings
    r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''  # strings and characters, but not 1'000
    r"|//[^\n]*|/\*(?:.|\n)*?\*/"  # comments
    r"|^[ \t]*#(?:\\\n|[^\n])*",  # preprocessor lines
    re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[[^\]]*\]\]|alignas\([^)]*\)|__attribute__\(\(.*?\)\)")
CLASS = re.compile(r"\b(?:class|struct|union)\s+([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^:].*)?$", re.DOTALL)
AFTER_PARAMETERS = r"(?:const|noexcept|override|final|mutable|&&?|requires\b.*|@@\s*[^;{}]+|\s)*"  # @@: see without_templates
FUNCTION = re.compile(r"\)" + AFTER_PARAMETERS + r"$", re.DOTALL)
INITIALISERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")
LABELS = re.compile(r"(?:\s|(?:public|private|protected)\s*:(?!:))*")
CONTROL = re.compile(r"(if|for|while|switch|catch|do|else|return|try)\b")
NO_MEMBER = re.compile(r"(using|friend|typedef|static|template|enum|class|struct|union|constexpr|inline|extern|explicit|"
                       r"virtual|requires|operator)\b")


@dataclasses.dataclass
class Function:
    name: str
    line: int
    length: int
    parameters: int


@dataclasses.dataclass
class Class:
    name: str
    line: int
    span: int
    members: int


@dataclasses.dataclass
class Scope:
    kind: str  # namespace, class, function, other
    header: str = ""
    line: int = 0
    members: int = 0
    parentheses: int = 0  # that were open outside


def blanked(text):
    """The text with comments, strings and preprocessor lines replaced by blanks."""
    return BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def without_templates(text):
    """Drops <...>, whose commas and parentheses are not those of a parameter list. -> becomes @@."""
    text = re.sub(r"<=>|<<|>=|<=", lambda match: " " * len(match[0]), text.replace("->", "@@"))
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>;{}]*>", "", text)
    return text


def split_header(header):
    """What is before the parameter list of a function's header, and what is in it."""
    header = without_templates(header)
    if match := INITIALISERS.search(header):
        header = header[:match.start() + 1]
    end, depth = header.rfind(")"), 0
    for at in range(end, -1, -1):
        depth += (header[at] == ")") - (header[at] == "(")
        if depth == 0:
            return header[:at], header[at + 1:end]
    return header, ""


def count_parameters(inside):
    inside = re.sub(r"\([^()]*\)|\{[^{}]*\}", "", inside).strip()
    return 0 if inside in {"", "void"} else inside.count(",") + 1


def kind_of(header, outer):
    """What a brace after this header opens."""
    flat = without_templates(ATTRIBUTE.sub("", header)).strip()
    if re.search(r"\bnamespace\b[^;()]*$|^extern$", flat):
        return "namespace"
    if outer not in {"namespace", "class"} or (re.search(r"\benum\b", flat) and "(" not in flat):
        return "other"
    if CLASS.search(flat) and "(" not in flat and "=" not in flat:
        return "class"
    if CONTROL.match(flat) or re.search(r"=\s*\[", flat):
        return "other"
    if INITIALISERS.search(flat):
        return "other" if re.search(r"\w$", flat) else "function"  # a_{1} is no body
    return "function" if FUNCTION.search(flat) else "other"


def is_member(statement):
    """Whether a statement at class scope declares a data member."""
    text = re.sub(r"\b(public|private|protected)\s*:", "", ATTRIBUTE.sub("", statement))
    text = without_templates(text).strip()
    return bool(text) and not NO_MEMBER.match(text) and "(" not in re.split("[={]", text)[0]


class Reader:
    """Walks over the braces of one file."""

    def __init__(self, text):
        self.text = blanked(text)
        self.functions, self.classes = [], []
        self.scopes = [Scope("namespace")]
        self.start = 0  # of the present statement
        self.parentheses = 0

    def line_of(self, at):
        return self.text.count("\n", 0, at) + 1

    def read(self):
        steps = {"{": self.open, "}": self.close, ";": self.end_statement}
        for match in re.finditer(r"[{};()]", self.text):
            if match[0] == "(":
                self.parentheses += 1
            elif match[0] == ")":
                self.parentheses = max(0, self.parentheses - 1)
            else:
                steps[match[0]](match.start())

    def open(self, at):
        header = self.text[self.start:at]
        kind = "other" if self.parentheses else kind_of(header, self.scopes[-1].kind)
        first = self.start + LABELS.match(header).end()
        self.scopes.append(Scope(kind, header, self.line_of(first), 0, self.parentheses))
        self.parentheses = 0
        if kind in {"namespace", "class"}:
            self.start = at + 1

    def close(self, at):
        if len(self.scopes) == 1:
            return
        scope = self.scopes.pop()
        self.parentheses = scope.parentheses
        length = self.line_of(at) - scope.line + 1
        if scope.kind == "function":
            before, inside = split_header(scope.header)
            name = re.search(r"(operator\s*\S+|[~\w:]+)\s*$", before)
            self.functions.append(Function(name[1] if name else "?", scope.line, length, count_parameters(inside)))
        if scope.kind == "class":
            name = CLASS.search(without_templates(ATTRIBUTE.sub("", scope.header)))
            self.classes.append(Class(name[1].rstrip(":") if name else "?", scope.line, length, scope.members))
        if scope.kind != "other":
            self.start = at + 1

    def end_statement(self, at):
        if self.parentheses or self.scopes[-1].kind not in {"class", "namespace"}:
            return
        if self.scopes[-1].kind == "class" and is_member(self.text[self.start:at]):
            self.scopes[-1].members += 1
        self.start = at + 1


def outline(text):
    """All functions at namespace or class scope, and all classes outside functions."""
    reader = Reader(text)
    reader.read()
    return reader.functions, reader.classes
