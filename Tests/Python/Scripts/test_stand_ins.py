"""`Scripts/check-stand-ins` takes a declaration that is Apple's in another form, and refuses another one."""
import importlib.machinery
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
loader = importlib.machinery.SourceFileLoader("check_stand_ins", str(ROOT / "Scripts/check-stand-ins"))
checks = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_stand_ins", loader))
loader.exec_module(checks)


def are_equal(apple, ours):
    """Whether a declaration of Apple's pages equals the last one of a stand-in's text."""
    return checks.of_apple(apple).equals(list(checks.declarations(checks.without_comments(ours)))[-1])


@pytest.mark.parametrize("apple, ours", [
    ("func tag<V>(_ tag: V) -> some Content where V : Hashable", "public func tag<V: Hashable>(_ tag: V) -> some Content { self }"),
    ("@MainActor @preconcurrency init<S>(_ title: S) where Label == Text, S : StringProtocol",
     "extension Row where Label == Text {\n    public init<S: StringProtocol>(_ title: S) {}\n}"),
    ("static func block<each C>(_ c: repeat each C) -> Tuple<(repeat each C)> where repeat each C : Content",
     "public static func block<each C: Content>(_ c: repeat each C)\n    -> Tuple<(repeat each C)>\n{\n    Tuple()\n}"),
    ("var isSelected: Bool { get set }", "open var isSelected: Bool = false"),
    ("let rect: MKMapRect", "public let rect: MKMapRect"),
    ("static var none: Line.Style { get }", "public static var none: Style { Style() }"),
    ("optional func map(_ map: Map, didAdd views: [View])", "func map(_ map: Map, didAdd views: [View])"),
])
def test_a_declaration_in_another_form_is_the_same(apple, ours):
    assert are_equal(apple, ours)


@pytest.mark.parametrize("apple, ours", [
    ("func select(_ pin: any Pin, animated: Bool)", "public func select(_ pin: any Pin, isAnimated: Bool) {}"),
    ("func select(_ pin: any Pin, animated: Bool)", "public func select(_ pin: (any Pin)?, animated: Bool) {}"),
    ("func tag<V>(_ tag: V) where V : Hashable", "public func tag<V: Equatable>(_ tag: V) {}"),
    ("var isSelected: Bool { get set }", "open var isSelected = false"),
    ("init(width: Double = 1)", "public init(width: Double) {}"),
])
def test_another_declaration_is_refused(apple, ours):
    assert not are_equal(apple, ours)


def test_a_name_has_the_labels_and_the_types_around_it():
    text = """
    public struct Outer {
        public struct Inner {
            public init?(_ first: Int, second two: Int) {}
            func hidden() {}
            public var value: Int { let inside = 1; return inside }
        }
    }
    """
    found = [each.path for each in checks.declarations(text) if each.is_public]
    assert found == ["Outer", "Outer.Inner", "Outer.Inner.init(_:second:)", "Outer.Inner.value"]
