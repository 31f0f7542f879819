"""Text is escaped, in elements and in attributes."""

from companion.core.html import Html, between, element

NAME = "<b>&\"Anna'\u05d0"


def test_text_is_escaped_and_html_is_not() -> None:
    inner = element("b", NAME)
    assert inner == "<b>&lt;b&gt;&amp;&quot;Anna&#x27;\u05d0</b>"
    assert element("p", inner, " & ", class_="lead") == f'<p class="lead">{inner} &amp; </p>'


def test_attributes_are_escaped_and_those_without_a_value_are_left_out() -> None:
    found = element("a", NAME, href=NAME, aria_label=None, view_box="0 0 1 1")
    assert found.startswith(
        '<a href="&lt;b&gt;&amp;&quot;Anna&#x27;\u05d0" viewBox="0 0 1 1">&lt;b&gt;'
    )


def test_void_elements_have_no_end_tag() -> None:
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_the_separator_is_between_parts() -> None:
    assert between(", ", "a", Html("<i>"), "<") == "a, <i>, &lt;"
    assert between(", ") == ""
