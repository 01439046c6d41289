#!/usr/bin/env python3
"""Shows that cpp_outline.py and cpp_names.py see what they must: a rule about what is not seen is not kept."""
import sys
import textwrap
import unittest

from cpp_names import declared
from cpp_outline import outline


def functions(text):
    return {item.name: (item.line, item.length, item.parameters) for item in outline(textwrap.dedent(text))[0]}


def classes(text):
    return {item.name: (item.line, item.span, item.members) for item in outline(textwrap.dedent(text))[1]}


class Functions(unittest.TestCase):
    def test_length_runs_from_the_return_type_to_the_brace(self):
        self.assertEqual(functions("""\
            namespace a {
            int f(int x,
                  int y) {
              if (x) { return y; }
              return 0;
            }
            }"""), {"f": (2, 5, 2)})

    def test_template_arguments_and_defaults_are_no_parameters(self):
        found = functions("std::map<int, int> f(std::map<int, std::pair<int, int>> a, Options b = {1, 2}) { return a; }")
        self.assertEqual(found["f"][2], 2)

    def test_constructors_with_initialisers(self):
        found = functions("""\
            class A {
             public:
              A(int a, int b, int c) : a_(a), b_{b, c} {
                run();
              }
            };""")
        self.assertEqual(found, {"A": (3, 3, 3)})

    def test_trailing_words(self):
        found = functions("""\
            auto A::f(int a) const noexcept -> std::vector<int> { return {}; }
            bool B::operator==(const B& other) const { return true; }""")
        self.assertEqual([item[2] for item in found.values()], [1, 1])

    def test_lambdas_belong_to_their_function(self):
        found = functions("""\
            void f() {
              run([&](int a, int b, int c, int d, int e, int g) {
                return a;
              });
            }""")
        self.assertEqual(found, {"f": (1, 5, 0)})

    def test_comments_and_strings_are_not_read(self):
        found = functions("""\
            // void g(int a) {
            void f() { puts("}{"); put('{'); put(R"(}})"); const int million = 1'000'000; }
            #define X {
            void h() {}""")
        self.assertEqual(sorted(found), ["f", "h"])


class Classes(unittest.TestCase):
    def test_data_members_are_counted(self):
        found = classes("""\
            struct A {
              using B = int;
              enum class Kind { x, y };
              static constexpr int kSize = 3;
              A(const A&) = delete;
              int f(int a) const;
              int g() { int local = 1; return local; }
              std::function<void(int, int)> call;
              std::vector<int> values = {1, 2};
              alignas(64) int number{0};
              Kind kind = Kind::x;
             private:
              const int* pointer_;
            };""")
        self.assertEqual(found, {"A": (1, 14, 5)})

    def test_inner_classes_count_for_themselves(self):
        found = classes("""\
            class A final : public B<int, int> {
              struct C {
                int x;
                int y;
              };
              C c_;
            };""")
        self.assertEqual((found["A"][2], found["C"][2]), (1, 2))


def names(text):
    return {(name.name, "::".join(name.space), name.private) for name in declared(textwrap.dedent(text))}


class Names(unittest.TestCase):
    def test_what_a_file_keeps_to_itself(self):
        self.assertEqual(names("""\
            #define LOCAL 1
            namespace a::b {
            namespace {
            using std::size_t;
            using Rows = std::vector<int>;
            struct Point { int x; void f(); };
            class Later;
            enum Kind : int { kOne = 1, kTwo };
            constexpr std::array<int, 2> kTable{1, 2};
            const char* kText = "x";
            int values[3] = {};
            template <class T> requires(true) T twice(const T& value) { int local = 2; return value * local; }
            }  // namespace
            static int count(int x) { return x; }
            constexpr double kScale = 2.5;
            }"""), {("LOCAL", "", True)} | {(name, "a::b", True) for name in (
                "size_t", "Rows", "Point", "Later", "Kind", "kOne", "kTwo", "kTable", "kText", "values", "twice", "count", "kScale")})

    def test_what_others_may_mean(self):
        self.assertEqual(names("""\
            namespace a {
            enum class Kind { one, two };
            inline constexpr int kLanes = 16;
            const std::string& name(int number);
            constexpr int square(int x) { return x * x; }
            std::vector<int> A::list() const { return {}; }
            int B::count_ = 0;
            bool operator==(const B& a, const B& b);
            }"""), {(name, "a", False) for name in ("Kind", "kLanes", "name", "square")})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
