"""The words of the page of a flashed card: its Wi-Fi, and a new version."""

from collections.abc import Mapping
from typing import Final

FLASHED: Final[Mapping[str, str]] = {
    "flashed.title": "This box",
    "flashed.wifi": "Wi-Fi",
    "flashed.joined": "The box is in “{name}”.",
    "flashed.own": "No known Wi-Fi answers: the box has opened its own."
    " Choose the one it should join.",
    "flashed.none": "The box looks for a Wi-Fi that it knows.",
    "flashed.no-networks": "No Wi-Fi is heard here.",
    "flashed.another": "Another Wi-Fi",
    "flashed.name": "Its name, letter by letter",
    "flashed.maybe-password": "Its password, if it has one",
    "flashed.password": "The password of “{name}”",
    "flashed.no-password": "“{name}” has no password.",
    "flashed.join": "Join it",
    "flashed.joining": "The box joins “{name}”. Your phone loses this page: join “{name}”, too,"
    " and scan the code on the TV. If the password is wrong, the box opens its own Wi-Fi again.",
    "flashed.gone": "The box doesn't answer. Is your phone in its Wi-Fi?",
    "flashed.update": "A new version",
    "flashed.update-what": "One file that ends in .update. Games and settings stay."
    " The box starts anew with it, and goes back by itself where it doesn't run well.",
    "flashed.choose": "Choose the file",
    "flashed.address": "Or the address of that file",
    "flashed.load": "Load it",
    "flashed.loading": "The box loads it: the table says what becomes of it.",
    "flashed.no-address": "Write an address as https://…",
    "flashed.sending": "The file goes to the box …",
    "flashed.sent": "The box has it: the table says what becomes of it.",
    "flashed.no-room": "The box has no room for this file.",
    "flashed.not-sent": "The file did not get to the box. Try again.",
}
