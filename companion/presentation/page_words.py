"""The fixed words of the pages: those in their HTML, and those that their scripts use.

HTML refers to them as `{{label.scores}}`, which is replaced when the page is served; scripts call
`words("keying.shows", { tiles })` (web/static/elements.js). So a page has no sentences of its own,
and translating the catalogue translates the pages."""

from collections.abc import Mapping
from typing import Final

from companion.core.words import phrase

# ---------------------------------------------------------------- past words
# The words shown if a page about earlier evenings can't be shown, or not yet.


PAST: Final = {
    "past.closed": (
        "Earlier evenings are for players: connect to the table first, with the code or "
        "the digits that the box shows (MENU, Phones). A page that only watches shows this "
        "evening."
    ),
    "past.making": "This is being prepared. It will appear here.",
    "past.busy": "Many pages are being prepared. This one will appear here.",
    "past.nothing": "The record has nothing of that kind.",
    "past.fault": "This can't be shown. The box keeps running.",
}


# ---------------------------------------------------------------- check words
# The words for the parts of a box and their condition, on the display and the page, and the words
# of the page of the check.


PARTS: Final[Mapping[str, str]] = {
    "pads": phrase("Number pads"),
    "keypads": phrase("Seat keypads"),
    "tv": phrase("TV"),
    "voice": phrase("Sound card"),
    "stick": phrase("USB stick"),
    "network": phrase("Network"),
    "disk": phrase("Card or disk"),
    "clock": phrase("Clock"),
}
"""The names of the box's parts for people, by their names in `companion check`."""
RESULTS: Final[Mapping[str, str]] = {
    "ok": phrase("fine"),
    "not tried": phrase("not tried"),
    "warning": phrase("check it"),
    "fault": phrase("not working"),
}
"""The words for a part's condition, by the result in `companion check`."""

SHEET: Final[Mapping[str, str]] = {
    "sheet.title": "You are on the table's Wi-Fi",
    "sheet.why": "It leads to the table and nowhere else: there is no internet here.",
    "sheet.stay": "Stay on this Wi-Fi",
    "sheet.then": "Then type this in your browser:",
    "sheet.ask": "If your phone asks whether to stay connected without internet, choose yes:",
    "sheet.open": "Open the table",
    "sheet.done": "iPhone and iPad: first tap “Done” at the top.",
    "sheet.type": "If nothing opens, type this in your browser:",
}
"""The words of the page that a phone shows in the Wi-Fi of a newly flashed card."""
TRUST: Final[Mapping[str, str]] = {
    "trust.title": "Trust this table",
    "trust.why": "With the table's certificate this phone gets an encrypted page: the screen"
    " can stay on while you play, and photos show the camera's live picture. Everything else works"
    " without it.",
    "trust.get": "Get the certificate",
    "trust.ios": "iPhone and iPad",
    "trust.ios-get": "In Safari, tap “Get the certificate”, and allow the download.",
    "trust.ios-install": "Open Settings, tap “Profile Downloaded”, then “Install”.",
    "trust.ios-switch": "In Settings, open General, About, Certificate Trust Settings, and switch"
    " the certificate on.",
    "trust.android-get": "Tap “Get the certificate”, and keep the file.",
    "trust.android-install": "In Settings, search for “CA certificate”, tap it, then “Install"
    " anyway”, and choose the file.",
    "trust.then": "Then open the table here:",
    "trust.compare": "The phone shows this fingerprint (SHA-256), and so did the box when it made"
    " the certificate:",
}


CHECK: Final[Mapping[str, str]] = {
    "check.title": "Check this box",
    "check.what": (
        "This checks each part that is plugged into the box, and shows what to "
        "do. You'll hear a sentence from its sound card."
    ),
    "check.again": "Check again",
    "check.wait": "One moment: the box is checking its parts …",
    "check.failed": "The box could not be checked.",
    "check.gone": "The box doesn't answer.",
    "check.picture": "As a picture to send",
    "check.hold": "Hold your finger on the picture to save it, or to send it.",
    "check.renew": "Update the keypads",
    "check.renewing": (
        "This takes half a minute per keypad. You'll see a message when each is done."
    ),
    **{f"check.part-{part}": str(words) for part, words in PARTS.items()},
    **{f"check.is-{result.replace(' ', '-')}": str(words) for result, words in RESULTS.items()},
}


# ---------------------------------------------------------------- photo words
# The words for a photo of the line of play, or of a player's tiles.


PHOTO: Final[Mapping[str, str]] = {
    "photo.line": "Photograph the line",
    "photo.tiles": "Photograph the tiles",
    "photo.title": "What the photo shows",
    "photo.reading": "Reading the photo …",
    "photo.stop": "Stop",
    "photo.close": "Close the photo",
    "photo.again": "Take the photo again",
    "photo.rest": "Photograph the rest",
    "photo.hint": (
        "From straight above, with the tiles filling the picture and no lamp reflected in them."
    ),
    "photo.stays": "No photo leaves the phone.",
    "photo.take": "Take photo",
    "photo.choose": "Choose a photo",
    "photo.starting": "Starting the camera … Allow it if the browser asks.",
    "photo.camera-close": "Close the camera",
    "photo.camera-on": "Turn the camera on",
    "photo.camera-off": "The camera went off because the page was hidden.",
    "photo.camera-busy": (
        "The camera doesn't start. Another program may be using it: try again, or choose a photo."
    ),
    "photo.camera-none": "No camera was found. Choose a photo instead.",
    "photo.camera-refused": (
        "The camera is blocked for this page. Allow it in the browser's settings or choose a photo."
    ),
    "photo.camera-insecure": "The camera's live picture needs an encrypted page (https).",
    "photo.none": (
        "No tiles seen. Tap one in the picture, or take the photo again: from straight "
        "above, closer to the tiles, with no lamp reflected in them."
    ),
    "photo.picture": "The photo, with a frame around each tile",
    "photo.looked": (
        "Framed: read. Dashed: in doubt. Tap a tile without a frame, or with a wrong one."
    ),
    "photo.nearer": "The tiles are small in the photo. Hold the camera closer.",
    "photo.reading-place": "Looking at this place …",
    "photo.which": "Which tile is it? Drag the corners if the frame is wrong.",
    "photo.not-read": "It can't be read. Drag the corners onto the tile's corners.",
    "photo.frame": "The frame",
    "photo.corner": "Corner {number}",
    "photo.is": "It is {tile}",
    "photo.no-tile": "There is no tile",
    "photo.too-large": "This photo has too many pixels. Choose a smaller size in the camera.",
    "photo.no-picture": (
        "This browser can't open that file as a photo. Set the camera to JPEG (most compatible)."
    ),
    "photo.too-slow": "Reading the photo takes too long. Take it again, closer to the tiles.",
    "photo.no-reader": "This browser is too old to read photos.",
    "photo.not-loaded": "The photo reader didn't load. Try again.",
    "photo.moved-on": "The table has moved on. Take the photo again.",
    "photo.another": (
        "The photo and the record have different tiles. Does it show this line, and nothing else?"
    ),
    "photo.agreed": "All {number} tiles match the record",
    "photo.agree-so-far": "{number} of {all} tiles match the record.",
    "photo.differs": "The record has {record} where the photo shows {photo}. Look.",
    "photo.correct": "It is {photo}: change {record}",
    "photo.record-right": "{record} is right",
    "photo.by-history": "Look for {record} among the latest entries and change it there.",
    "photo.more": "{photo} is on the table, but not in the record.",
    "photo.lay-now": "{seat} lays {tile} now",
    "photo.lay-before": "{seat} laid {tile} before {laid}",
    "photo.leave-out": "Leave it out",
    "photo.unsure": "This may be {photo}, but the photo doesn't show it well enough. Look.",
    "photo.unseen": "Not seen in the photo:",
    "photo.unseen-what": (
        "Tap them in the picture, photograph the rest, or leave them out: the record keeps them."
    ),
    "photo.of-record": "Record",
    "photo.of-photo": "Photo",
    "photo.holds": (
        "These tiles were seen. Tap a wrong tile to remove it, and add what is missing below."
    ),
    "photo.look": "{tile}? Look",
    "photo.lies": "{tile} is in the line",
}


# ---------------------------------------------------------------- panel words
# The words of the pages' panels: chips, the race, house rules, a new game, players, a round of an
# event, the club, unfinished games, help, and the end of a game.


PANEL: Final[Mapping[str, str]] = {
    "view.chips": "Chips",
    "view.race": "The race",
    "view.rules": "House rules",
    "view.new": "New game",
    "view.games": "Unfinished games",
    "view.club": "Club",
    "view.help": "Help",
    "view.older": "Earlier entries",
    "panel.back": "Back",
    "race.after": "After",
    "win.title": "The game is over",
    "win.best": "Best turn",
    "win.best-count": "Best count",
    "win.best-hand": "Biggest hand",
    "win.points": "{points} points",
    "win.evening": "Games won this evening",
    "win.end": "End of the evening",
    "win.again-phone": "Play again: tap it on a phone",
    "chips.own": "Own: {pieces}",
    "chips.won": "Won: {pieces}",
    "chips.count": "Count",
    "chips.correct": "Move chips",
    "chips.how-many": "How many of their own chips does {seat} have?",
    "chips.most": "at most {number}",
    "chips.sum": "{points} counted, {recorded} recorded",
    "chips.write-down": "Write it down",
    "chips.mend": "Correct the record",
    "chips.move": "Move chips of {seat}, as the table agrees",
    "chips.points": "Points",
    "chips.which-way": "Which way",
    "chips.over": "over to {payee}",
    "chips.back": "back from {payee}",
    "rules.stay": "They stay as they are until the game is over.",
    "rules.none": "This game has no house rules to choose.",
    "rules.table": "At this table",
    "rules.order": "Order: {order}",
    "rules.end": "End this game",
    "new.rematch": "The same again",
    "new.level": "Only {seats} play on",
    "new.begin-again": "The same from the start",
    "new.stays": "The game being played stays in the record.",
    "new.players": "How many?",
    "new.rules": "House rules",
    "new.card": "Points on your card",
    "new.card-range": "A card has {least} to {most} points for each.",
    "new.title": "Sit down, everybody",
    "new.who": "Turns go clockwise. Tap a seat and give it a name.",
    "new.who-counter-clockwise": "Turns go counter-clockwise. Tap a seat and give it a name.",
    "new.swap": "Tap another seat, or drag: {name} changes places.",
    "new.name-of": "Name for seat {number}",
    "new.sit": "Sit here",
    "new.leave": "Free the seat",
    "new.last": "Same as last time",
    "new.own": "On this phone",
    "new.phone": "has a phone",
    "new.colour": "Colour",
    "new.nobody": "Who sits here?",
    "new.full": "Every seat is taken. Tap a seat to change or free it.",
    "new.change": "Change",
    "new.deal": "Deal for {number}",
    "players.title": "Players",
    "players.tap": "Tap a name to change it.",
    "players.name": "{player} is called",
    "players.rename": "Rename",
    "players.other": "Somebody else sits here",
    "players.sit": "{names} sit here, in this game",
    "players.renamed": "{name} counts as {to}",
    "players.keep": "{name} keeps that name",
    "round.left": "{minutes}:{seconds} left",
    "round.up": "Time! Finish this hand.",
    "round.next-in": "Round {number} in {minutes}:{seconds}",
    "round.next-now": "Round {number} begins now",
    "round.clockwise": "{names}. Sit like this, clockwise.",
    "round.counter-clockwise": "{names}. Sit like this, counter-clockwise.",
    "round.begin": "Begin",
    "round.others": "Other people sit here: {names}. All entries stay.",
    "round.so": "Yes, that's right",
    "club.what": (
        "A club's hub shows all its tables, live. Games you begin after joining are shown there."
    ),
    "club.look": "Look for clubs",
    "club.looking": "Looking for clubs …",
    "club.join": "Join {name}",
    "club.address": "Address of the hub",
    "club.ask": "Ask to join",
    "club.asking": "One moment …",
    "club.compare": "Does the hub show the same digits? Then the organiser accepts you there.",
    "club.differ": "It shows others",
    "club.stands": "The hub: {sign}.",
    "club.waiting": "Entries waiting: {waiting}.",
    "club.mark": "The organiser sees {mark} beside the name of this box.",
    "club.from-now": "Games you began before joining stay on this box.",
    "club.leave": "Leave the club",
    "club.leave-sure": "Leave it? The club keeps what it has.",
    "club.sign": "{name}: {sign}",
    "games.reading": "Looking through all games …",
    "games.none": "No game was left unfinished.",
    "games.on-table": "on the table now",
    "games.entries": "entries: {entries}",
    "games.resume": "Resume it",
    "games.name": "Its name",
    "games.call": "Name it",
    "games.close": "To close one for good, resume it, then end it.",
    "help.manual": "The whole manual",
    "help.play": "How to play {game}",
    "help.card": "The quick card of {game}",
    "help.lesson": "The rules of High Five on a page",
    "help.english": "In English: {page}",
    "help.search": "Search help",
    "help.none": "Nothing about that here.",
    "help.all": "All on one card",
    "help.more": "More to read",
    "help.turn": "Play a tile",
    "help.turn-says": (
        "Tap the tile that was played. If it fits at more than one end, tap the end on the "
        "line. Tap OK if the page asks."
    ),
    "help.draw": "Draw or pass",
    "help.draw-says": (
        "The keys for drawing and passing are below the tiles. Tap once for each tile that "
        "you draw."
    ),
    "help.pays": "Who pays",
    "help.pays-says": (
        "The line below the scores says who pays whom, and how much. Hand over the chips "
        "that it shows, in your own colour."
    ),
    "help.fix": "Correct a mistake",
    "help.fix-says": (
        "The last entry is taken back with one key. Under “{latest}”, tap an older entry to "
        "change it, or the + between two if something was forgotten. You see the new totals "
        "before OK."
    ),
    "help.bogus": "Bogus play",
    "help.bogus-says": (
        "Somebody drew or passed with a tile that fits? Tap “{bogus}”, then who it was and "
        "which turn. The page goes through the record and shows what it proves."
    ),
    "help.hand": "End of a hand",
    "help.hand-says": (
        "When nobody can go on, or somebody has no tile left, the page asks what the others "
        "still hold: tap those tiles, or take a photo of them."
    ),
    "help.sit": "Sit down and deal",
    "help.sit-says": (
        "“{start}” shows a code and four digits. Each phone scans the code, gives a name and "
        "taps a seat. Tap a seat to name it, tap or drag two to swap them, then deal."
    ),
    "help.phones": "More phones and a TV",
    "help.phones-says": (
        "“{invite}”, at the bottom of the page, shows the code for another phone or a TV. A "
        "phone that comes back chooses its name and goes on."
    ),
    "help.screen": "Sound and screen",
    "help.screen-says": (
        "“{sound}” and “{motion}” are at the bottom of the page. The screen stays on while "
        "you play if the browser allows it; nobody has tried that on a real phone yet."
    ),
    "keyboard.title": "By keyboard",
    "keyboard.lay": "6 5 Enter lays 6-5; 6 5 {right} Enter lays it on the arm “{word}”.",
    "keyboard.do": "D draws, P passes, U undoes, B calls a bogus play, ? opens help.",
    "keyboard.ok": "Enter is OK, Escape goes back. Arrows move among the tiles.",
    "keyboard.use": "Use letters and digits of the keyboard",
    "keyboard.arms": "left right up down",
    "keyboard.no-tile": "“{typed}” is not a tile",
    "keyboard.not-now": "{key} does nothing now",
}


# ---------------------------------------------------------------- flashed words
# The words of the page of a flashed card: its Wi-Fi, and a new version.


FLASHED: Final[Mapping[str, str]] = {
    "flashed.title": "This box",
    "flashed.wifi": "Wi-Fi",
    "flashed.joined": "The box is connected to “{name}”.",
    "flashed.own": "No known Wi-Fi answers: the box has opened its own."
    " Choose the one it should join.",
    "flashed.none": "The box is looking for a Wi-Fi that it knows.",
    "flashed.no-networks": "No Wi-Fi found here.",
    "flashed.another": "Another Wi-Fi",
    "flashed.name": "Its name, letter by letter",
    "flashed.maybe-password": "Its password, if it has one",
    "flashed.password": "The password of “{name}”",
    "flashed.no-password": "“{name}” has no password.",
    "flashed.join": "Join it",
    "flashed.joining": (
        "The box is joining “{name}”. Your phone will lose this page: join "
        "“{name}”, too, and scan the code on the TV. If the password is "
        "wrong, the box opens its own Wi-Fi again."
    ),
    "flashed.gone": "The box doesn't answer. Is your phone on its Wi-Fi?",
    "flashed.update": "A new version",
    "flashed.update-what": (
        "One file that ends in .update. Games and settings stay. The box "
        "restarts with it. If it doesn't start properly, the box goes back "
        "by itself."
    ),
    "flashed.choose": "Choose the file",
    "flashed.address": "Or the address of that file",
    "flashed.load": "Load it",
    "flashed.loading": "The box is loading it. Watch the table for the result.",
    "flashed.no-address": "Write an address as https://…",
    "flashed.sending": "Sending the file to the box …",
    "flashed.sent": "The box has it. Watch the table for the result.",
    "flashed.no-room": "The box has no room for this file.",
    "flashed.not-sent": "The file didn't reach the box. Try again.",
}


# ---------------------------------------------------------------- page words

PAGES: Final = {
    "page.language": "en",
    "page.direction": "ltr",
    "page.table": "High Five table",
    "page.tv": "High Five table: TV",
    "page.box": "High Five table: the box",
    "page.overlay": "High Five table: over a stream",
    "page.scores": "{scores} – {title}",
    "page.at-table": "{table}: {title}",
    "page.turn": "Table {number} of {all}",
    "page.needs-scripts": "This page shows a live table, which needs JavaScript.",
    "page.needs-scripts-box": "This page shows a live display, which needs JavaScript.",
    "page.not-shown": "This moment can't be shown. The box keeps running.",
}
"""Titles, and messages in place of a page that can't be shown."""

LINK: Final = {
    "link.connecting": "Connecting …",
    "link.lost": "Not connected. Trying again …",
    "link.lost-since": "Not connected since {time}. Trying again …",
    "link.too-many": (
        "Too many pages are open here. Close one that isn't needed, on this phone or another."
    ),
    "link.out-of-date": (
        "Connect this page again: scan the code, or type the digits that the box (MENU, Phones) or"
        " a phone at the table shows."
    ),
    "link.no-word": (
        "Scan the code that the box (MENU, Phones) or a phone at the table shows, or type its"
        " digits."
    ),
    "link.no-word-here": (
        "Open the link that was printed when the table was started, or the one that “companion"
        " link” prints. Or type the digits that the box (MENU, Phones) or a phone at the table"
        " shows."
    ),
    "link.wrong-digits": (
        "That code is wrong or too old. Look again at the phone: it changes every two minutes."
    ),
}
"""The state of the connection."""

DOOR: Final = {
    "door.come-in": "Connect",
    "door.digits": "Four digits",
    "door.tv-code": "A code that connects this TV",
    "door.tv-scan": "Scan this with a phone at the table, or type the digits that it shows.",
    "door.let-tv-in": "Connect the TV? It only shows the table.",
    "door.let-in": "Connect it",
    "door.tv-in": "The TV is connected",
    "door.invite": "Connect phones",
    "door.code": "A code for {address}",
    "door.photograph": "Scan this with a phone on the same Wi-Fi, not its guest network. Or open",
    "door.type": "and type",
    "door.hold": "within two minutes. On a TV, add tv to the address.",
    "door.hold-sitting": "until the deal. On a TV, add tv to the address.",
    "door.keep": "Keep this phone for other evenings, too",
    "door.new-codes": "New codes",
    "door.new-codes-sure": (
        "All phones and TVs but this one have to be connected again. Make new codes?"
    ),
    "door.yes": "Yes, new codes",
    "door.no": "No",
}
"""Joining the table from a phone, and letting others join."""

LABEL: Final = {
    "label.happened": "What happened",
    "label.scores": "Scores",
    "label.now": "Now",
    "label.count": "Count",
    "label.board": "On the table",
    "label.key": "Key",
    "label.bogus": "Bogus play",
    "claim.then": "The line as it was then",
    "label.paid": "Last payment",
    "due.title": "Now move these chips",
    "due.restored": "Chips moved already?",
    "due.done": "Moved",
    "label.latest": "Latest",
    "label.latest-entries": "Latest entries",
    "label.hand": "Hand {hand}",
    "label.paid-for": "For {why}",
    "label.other-pages": "Other pages",
    "label.to-table": "The table",
    "label.to-box": "The box and its keys",
    "label.to-tv": "For a TV",
    "label.to-past": "Evenings and players",
    "label.box": "The box",
    "label.views": "More about the game",
    "label.phones": "Phones",
    "label.language": "Language",
    "tv.scan": "Scan this to play:",
    "tv.own-wifi": "Join this Wi-Fi, then scan again:",
    "tv.waiting": "Waiting for the table",
    "tv.sounds": "Sounds",
    "tv.highlights": "Streaks and records",
}
"""The headings and labels of a page."""

WELCOME: Final = {
    "welcome.title": "Who's playing?",
    "welcome.begin": "You play the tiles. This keeps the score, the chips and the peace.",
    "welcome.title-tv": "No game yet",
    "welcome.begin-tv": "Start one on a phone or on the box: the score appears here.",
    "home.start": "Start a game",
    "sit.table": "Sitting down for {game}",
    "sit.name": "What's your name?",
    "sit.where": "Where do you sit?",
    "sit.free": "Free seat",
    "sit.down": "Sit down",
    "sit.colour": "Your colour",
    "sit.taken": "{name} is at this table already. Is that you? If not, type another name.",
    "sit.me": "Yes, it's me",
    "sit.rename": "Change my name",
    "sit.waiting": "You're in, {name}. Wait for the deal.",
    "sit.title-tv": "Sit down!",
    "sit.type-tv": "Scan the code, or open {address} and type",
    "sit.seated": "{number} of {seats} seated",
    "home.menu": "Menu",
    "home.close": "Close",
}
"""The home page, before a game."""

EXAMPLE: Final = {
    "welcome.watch": "Watch a demonstration",
    "example.title": "Example",
    "example.said": "A demo that plays itself. Nothing of it is recorded.",
    "example.leave": "Stop the demo",
}
"""The demo: an evening that plays itself."""

ROLE: Final = {
    "role.page": "This page",
    "role.watcher": "Only watch",
    "role.scorekeeper": "Scorekeeper",
    "role.seat": "I am {seat}",
    "role.us": "Us",
    "role.them": "Them",
    "coming.who": "Who are you?",
    "coming.watch": "Just watch",
    "coming.taken": "already has a phone",
    "role.take-over": "Take over the seat",
}
"""Choosing who uses the page: a seat, the scorekeeper or a watcher."""

HISTORY: Final = {
    "history.entry": "The entry, as the tally writes it",
    "history.other-tile": "Another tile",
    "history.other-seat": "It was {seat}'s",
    "history.passed": "{seat} passed before this",
    "history.forgotten": "{seat} drew before this",
    "history.gap": "Something is missing before “{entry}”",
    "history.missing": "What was forgotten here?",
    "history.before": "Before “{entry}”",
    "history.passed-here": "{seat} passed",
    "history.drew-here": "{seat} drew",
    "history.played-here": "{seat} played a tile",
    "history.other-end": "Another end",
    "history.end": "Where: {end}",
    "history.other-tiles": "Other tiles",
    "history.these-tiles": "These tiles",
    "history.number": "The number in this entry",
    "history.other-number": "Change the number",
    "history.as-text": "Advanced: as text",
    "history.change": "Make this change",
    "history.insert": "Put this before it",
    "history.delete": "Delete it",
    "history.rewind": "Undo from here on",
    "history.deletes": "Delete “{entry}”",
}
"""Changes of an earlier entry."""

STAR: Final = {
    "star.remember": "Remember this",
    "star.remember-entry": "Remember this: {entry}",
    "star.remembered": "remembered",
    "star.title": "Moments to remember",
    "star.hand": "Hand {hand}",
    "star.game": "Game {game}, hand {hand}",
}
"""Entries marked to be remembered."""

READ_ALOUD: Final = {
    "aloud.say": "Say it aloud",
    "aloud.level": "How much is said aloud",
    "aloud.counts": "Counts and payments",
    "aloud.everything": "Everything",
    "aloud.ends": "Say the ends",
    "aloud.scores": "Say the scores",
    "aloud.since": "Say what I missed",
    "aloud.last": "Say the last play",
    "aloud.lie": "Say how many have {number}",
    "aloud.none": "No voice: neither this browser nor the box has one in this language",
}
"""The voice that reads a game aloud."""

TILE: Final = {
    "tile.half-0": "blank",
    "tile.half-1": "one",
    "tile.half-2": "two",
    "tile.half-3": "three",
    "tile.half-4": "four",
    "tile.half-5": "five",
    "tile.half-6": "six",
    "tile.double-0": "double blank",
    "tile.double-1": "double one",
    "tile.double-2": "double two",
    "tile.double-3": "double three",
    "tile.double-4": "double four",
    "tile.double-5": "double five",
    "tile.double-6": "double six",
    "tile.double": "double {half}",
    "tile.both": "{high}-{low}",
}
"""The names of tiles, for voices and screen readers (web/static/elements.js). Displays and pages
show digits."""

MOMENTS: Final = {
    "moments.sound": "Sound on my turn",
    "moments.less-motion": "Less motion",
    "moments.keep-on": "Keep the screen on",
    "moments.enlarge": "Enlarge the line",
}
"""The labels of a page's own controls: sound, motion and screen."""

BOX: Final = {
    "box.display": "The box's display",
    "box.says": "What the display says",
    "box.keys": "Keys",
    "box.keyboard": "On a keyboard",
    "box.digits": "digits",
    "box.back": "BACK; two seconds lock the keys",
    "box.number-pad": "DRAW, PASS, BOGUS, MENU and BACK on a number pad",
    "box.joystick": "the joystick that some boards have",
}
"""The box's display and keys on the page."""

KEYING: Final = {
    "keying.who": "Who lays it?",
    "keying.whose": "Whose?",
    "keying.number": "How many?",
    "keying.row": "Which row?",
    "keying.tile": "Which tile?",
    "keying.which-half": "One half of it?",
    "keying.half": "{half}: {stands}",
    "keying.by-cards": "The row by its five cards:",
    "keying.suit": "Which suit?",
    "keying.card": "Which cards?",
    "keying.so-far": "So far",
    "keying.collected": "{what}: {tiles}",
    "keying.none": "{what}: none",
    "keying.so-many": "{what}: {number} of {most}",
    "keying.turn-over": "{tile}, turn it over",
    "keying.take-off": "{tile}, remove it",
    "keying.skip": "Skip",
    "keying.left-to-right": "From left to right: tap a column to turn it over",
    "keying.others": "others",
    "keying.or": "Or",
    "keying.so": "Is this right?",
    "keying.back": "Back",
    "keying.else": "More options",
    "keying.again": "Play again",
    "keying.undo": "Undo",
    "keying.for-other": "Key for {seat}",
    "keying.bogus": "BOGUS",
    "keying.who-calls": "Who calls whom?",
    "keying.no-call": "Nobody else has drawn or passed in this hand",
    "keying.your-turn": "Your turn, {seat}",
    "keying.you-lead": "You lead, {seat}",
    "keying.deal-you-lead": "Deal the next hand: you lead",
    "keying.you-show": "Key what you hold, {seat}",
    "keying.you-are-called": "You are called bogus: key what you hold",
    "keying.you-are-bogus": "Bogus: how many pips do you have left?",
    "keying.you-won": "You won, {seat}",
    "keying.deal-first": "Deal the first hand: {number} tiles each",
    "keying.you-pay": "You pay {to} {points}",
    "keying.pays-you": "{payer} pays you {points}",
    "keying.you-pay-rest": "You pay {to} {points}: all that was left",
    "keying.pays-you-rest": "{payer} pays you {points}: all that was left",
    "keying.by-what": "How you key it",
    "keying.by-tile": "Tiles",
    "keying.by-ends": "Open ends",
    "keying.by-count": "Count",
    "keying.rub-out": "Delete the last digit",
    "keying.digits": "Digits",
    "keying.enter": "Enter",
    "keying.more": "More",
    "keying.take-back": "Undo: {change}",
    "keying.just-changed": "That has just changed: tap again",
    "keying.one-moment": "One moment: tap again",
    "keying.no-link": "No connection: tap again once it is back",
    "keying.held": "No connection: {what} stays chosen until it is back",
    "keying.not-sent": "The connection was lost: what you tapped last was not sent",
    "keying.no-longer": "“{what}” did not count: the table has moved on",
    "keying.asked": "Do you agree?",
    "keying.agree": "Agree",
    "keying.disagree": "No",
    "keying.draws": "{seat} draws {number}",
    "keying.draw-key": "{what} {number}",
    "keying.all-drawn": "{seat} draws {number}: by our count, no more are left",
    "keying.none-left": "By our count, no tile is left to draw: OK if there is one",
    "keying.do-again": "Redo: {change}",
    "card.s": "spades",
    "card.h": "hearts",
    "card.c": "clubs",
    "card.d": "diamonds",
    "card.joker": "a joker",
    "card.named": "{value} of {suit}",
}
"""Entering on the page of the table."""

PAGE_WORDS: Final[Mapping[str, str]] = {
    **PAGES,
    **LINK,
    **DOOR,
    **LABEL,
    **WELCOME,
    **PANEL,
    **EXAMPLE,
    **ROLE,
    **HISTORY,
    **STAR,
    **READ_ALOUD,
    **TILE,
    **MOMENTS,
    **BOX,
    **KEYING,
    **PHOTO,
    **FLASHED,
    **CHECK,
    **TRUST,
    **SHEET,
}
