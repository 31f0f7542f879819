"""The words for a photo of the line of play, or of a player's tiles."""

from collections.abc import Mapping
from typing import Final

PHOTO: Final[Mapping[str, str]] = {
    "photo.line": "Photograph the line",
    "photo.tiles": "Photograph the tiles",
    "photo.title": "What the photo shows",
    "photo.reading": "Reading the photo …",
    "photo.stop": "Stop",
    "photo.close": "Close the photo",
    "photo.none": (
        "No tiles seen. Hold the phone straight above the tiles, all of them in the picture, "
        "with no lamp mirrored in them."
    ),
    "photo.too-large": "This photo has too many pixels. Choose a smaller size in the camera.",
    "photo.no-picture": (
        "This browser can't open that file as a photo. Set the camera to JPEG (most compatible)."
    ),
    "photo.too-slow": "Reading the photo takes too long. Take it again, nearer to the tiles.",
    "photo.no-reader": "This browser is too old to read photos.",
    "photo.not-loaded": "What reads photos could not be loaded: try again",
    "photo.moved-on": "The table has moved on. Take the photo again.",
    "photo.another": "The photo shows other tiles than the record has. Is it this line, alone?",
    "photo.agreed": "All {number} tiles are as the record has them",
    "photo.agree-so-far": "{number} of {all} tiles are as the record has them.",
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
    "photo.unseen-what": "Take another photo, or leave them out: the record keeps them.",
    "photo.of-record": "Record",
    "photo.of-photo": "Photo",
    "photo.holds": "These tiles are seen. Tap off what is wrong, and choose what is missing below.",
    "photo.look": "{tile}? Look",
    "photo.lies": "{tile} is in the line",
}
