// SPDX-License-Identifier: CERN-OHL-P-2.0
// The keypad at a seat: matrix keypad and light on the lid, a Pico below. The Pico lies on its back
// behind the keypad, its pins up, its USB socket in the left wall.
include <parts.scad>
include <screen.scad>
include <shell.scad>

show = "open";        // [base, lid, closed, open, body]
which = "base";       // the body that is shown: base, lid, computer, plugs, light, keypad, tie, sliding, lifted

front = 14;           // height of the front edge below the lid
keypad_v = 9;         // from the lid's front edge to the keypad's
strip = 18;           // behind the keypad, for the light
side = 10;            // beside the keypad, for the screws
pico_up = 6;          // from the floor to the board: so high that the plug clears the floor
usb_gap = 1.1;        // from the left wall to the board
back_gap = 1.5;

long = keypad_v + get(membrane, "size")[1] + strip;
size = [get(membrane, "size")[0] + 2 * side, long * cos(tilt)];
board = get(pico, "size");
usb = get(pico, "usb");
usb_plug = get(pico, "usb_plug");
pico_at = [wall + usb_gap, size[1] - wall - back_gap - board[1], floor_t + pico_up];
light_at = [64, long - 10];
keypad_at = [size[0] / 2, keypad_v];
screws = [[screw_in, screw_in, 0], [size[0] - screw_in, screw_in, 0],
          [screw_in, 71, 0], [size[0] - screw_in, 71, 0]];

module usb_box(width, low, high, out, deep) translate([-out, board[1] / 2 - width / 2, low])
    cube([out + deep, width, high - low]);

module usb_plug_box(grow, out, deep) usb_box(usb_plug[0] + 2 * grow,
    -usb[1] / 2 - usb_plug[1] / 2 - grow, -usb[1] / 2 + usb_plug[1] / 2 + grow, out, deep);

module base() {
    base_shell(size, front, screws) {
        translate(pico_at) usb_plug_box(3 * slack, 20, -0.1);
        // Two slots for a cable tie, which takes what pulls at the cable.
        for (up = [0, 1]) tie_end(up, slack + 0.15);
    }
    ledges();
    translate([pico_at[0], pico_at[1], 0]) for (hole = get(pico, "holes"))
        if (hole[0] > board[0] / 2) standoff(hole, pico_up, 4.2, 1.6);
        // Beside the USB socket there is room for a foot only, not for a screw.
        else translate([hole[0], hole[1], floor_t - 0.01]) cylinder(d = 3, h = pico_up + 0.01);
}

// The end with the USB socket goes below two ledges of the wall, beside the plug's window; the other
// end is screwed down. They grow out of the wall at 45°, so that they print in the air.
ledge = 0.9;          // how far they reach over the board
module ledges() translate(pico_at) for (y = [0.2, board[1] - 3.4])
    translate([-usb_gap - 0.5, y, board[2] + 2 * slack - usb_gap]) rotate([-90, 0, 0]) mirror([0, 1, 0])
        linear_extrude(3.2) polygon([[0, -0.5], [usb_gap + 0.5 + ledge, usb_gap + ledge], [usb_gap + 0.5 + ledge, usb_gap + ledge + 1.6], [0, usb_gap + ledge + 1.6]]);

// The cable lies along the outside of the left wall there.
tie_at = [50, 6];     // along the wall, and how high its lower end goes through
module tie_end(up, grow) translate([-5, tie_at[0] - get(tie, "size")[0] / 2 - grow, tie_at[1] + up * get(tie, "apart") - grow])
    cube([5 + wall + 2, get(tie, "size")[0] + 2 * grow, get(tie, "size")[1] + 2 * grow]);

module tie_round() {
    for (up = [0, 1]) tie_end(up, 0);
    translate([wall + 1, tie_at[0] - get(tie, "size")[0] / 2, tie_at[1]])
        cube([1, get(tie, "size")[0], get(tie, "apart") + get(tie, "size")[1]]);
}

module lid() difference() {
    union() {
        lid_plate(size, screws, 50, size[0] / 2);
        translate([light_at[0], light_at[1], -2.5]) cylinder(d = get(led, "rim") + 4, h = 3);
    }
    // The light comes from below until its rim rests against the lid.
    translate([light_at[0], light_at[1], -3]) cylinder(d = get(led, "rim") + slack, h = 3);
    translate([light_at[0], light_at[1], -1]) cylinder(d = get(led, "size")[0] + slack, h = lid_t + 2);
    for_membrane(keypad_at, get(membrane, "size"), get(membrane, "tail"));
    for_membrane_marks(keypad_at, get(membrane, "size"), get(membrane, "pitch"));
}

module computer(grow) translate(pico_at) {
    pins = get(pico, "pins");
    translate([-grow, -grow, 0.01]) cube([board[0] + 2 * grow, board[1] + 2 * grow, board[2]]);
    usb_box(usb[0] + 2 * grow, -usb[1] - grow, 0, usb[2], 4.3);
    for (row = [-1, 1]) translate([(board[0] - pins[0]) / 2, board[1] / 2 + row * pins[2] / 2 - pins[1] / 2, 0])
        cube([pins[0], pins[1], board[2] + get(pico, "pins_height")]);
    // What is soldered stands below it, beside the stand-offs.
    translate([8, 1, -2]) cube([35, board[1] - 2, 2]);
}

module plugs(grow) translate(pico_at) usb_plug_box(grow, 25, -usb[2]);

module light(grow) on_lid(front) translate([light_at[0], light_at[1], 0]) {
    translate([0, 0, -0.02 - get(led, "size")[1] + 6]) cylinder(d = get(led, "size")[0], h = get(led, "size")[1] - 3);
    below = get(led, "module");
    translate([-below[0] / 2, 5 - below[1], -3 - below[2]]) cube(below);
}

module keypad() {
    on_lid(front) translate([keypad_at[0], keypad_at[1], lid_t + 0.02]) {
        translate([-get(membrane, "size")[0] / 2, 0, 0]) cube(get(membrane, "size"));
        tail = get(membrane, "tail");
        translate([-tail[0] / 2, -tail[1] - 1, -lid_t - 5]) cube([tail[0], tail[1], lid_t + 5]);
    }
}

module body(name) {
    if (name == "base") base();
    if (name == "lid") on_lid(front) translate([0, 0, 0.02]) lid();
    if (name == "computer") computer(slack);
    if (name == "plugs") plugs(slack);
    if (name == "light") light(slack);
    if (name == "keypad") keypad();
    if (name == "tie") tie_round();
    // It is laid in to the right of its place and pushed left, below the ledges.
    if (name == "sliding") translate([usb_gap + ledge, 0, 0]) computer(0);
    // What must meet the base: else nothing holds the end with the socket down.
    if (name == "lifted") translate([0, 0, 1]) computer(0);
}

module picture(apart) {
    color("SteelBlue") base();
    color("SeaGreen") computer(0);
    translate([0, apart / 2, apart]) {
        color("LightSteelBlue") on_lid(front) lid();
        color("DimGray") keypad();
        on_lid(front) {
            keys(keypad_at, get(membrane, "pitch"));
            on_keys(keypad_at, get(membrane, "pitch"));
        }
        color("Gold") light(0);
    }
}

if (show == "base") base();
if (show == "lid") rotate([180, 0, 0]) translate([0, 0, -lid_t]) lid();
if (show == "closed") picture(0);
if (show == "open") picture(80);
if (show == "body") body(which);
