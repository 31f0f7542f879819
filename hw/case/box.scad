// SPDX-License-Identifier: CERN-OHL-P-2.0
// The box in the middle of the table: matrix keypad and display on the lid, the Raspberry Pi below.
// Its power socket looks backward, its USB sockets to the left, its header to the player.
include <parts.scad>
include <screen.scad>
include <shell.scad>

model = "pi4";           // [zero, pi3, pi4, pi5]
oled_model = "oled13";   // [oled096, oled13, oled242]; the last needs a base of its own
include <computer.scad>
show = "open";           // [base, lid, closed, open, body]
which = "base";       // the body that is shown: base, lid, computer, plugs, display, keypad, sliding

front = 20;           // height of the front edge below the lid
keypad_v = 14;        // from the lid's front edge to the keypad's
display_gap = 4.5;    // between keypad and display, which may be the larger one
back_gap = 6.5;
pi_up = 4;            // from the floor to the board
power_gap = 1.6;      // from the wall behind to the board: its sockets stick out about as far
side_gap = 0.5;       // from the left wall: the USB sockets end where the wall does
fingers = 4;          // beside the SD card

// One base serves both small displays.
display_deep = get(oled_model == "oled242" ? oled242 : oled13, "size")[1];
long = keypad_v + get(membrane, "size")[1] + display_gap + display_deep + back_gap;
size = [2 * wall + side_gap + get(pi4, "size")[0] + get(pi4, "card")[2] + fingers, long * cos(tilt)];
// The corner (0, 0) of the computer, which is turned by half a turn.
pi_x = board[0] > 80 ? wall + side_gap + board[0] : (size[0] + board[0]) / 2;
pi_y = size[1] - wall - power_gap;
pi_z = floor_t + pi_up;

display_at = [size[0] / 2, long - back_gap - display_deep / 2];
keypad_at = [size[0] / 2, keypad_v];
screws = [[screw_in, screw_in, 0], [size[0] - screw_in, screw_in, 0],
          [screw_in, long - screw_in, 27], [size[0] - screw_in, long - screw_in, 27]];

module turned() translate([pi_x, pi_y, pi_z]) rotate(180) children();

module base() {
    base_shell(size, front, screws) {
        turned() windows(power_gap);
        // Air, beside the SD card.
        for (i = [0:5]) translate([size[0] - wall - 1, pi_y - 14 - 6 * i, 12]) cube([wall + 2, 2.4, 14]);
    }
    turned() translate([0, 0, -pi_z]) for (hole = get(pi, "holes")) standoff(hole, pi_up, 5.6, 2.1);
}

module lid() difference() {
    union() {
        lid_plate(size, screws, 60, size[0] / 2);
        display_bosses(display_at, oled);
    }
    window([display_at[0], display_at[1] + get(oled, "view_up")], get(oled, "view") + [2, 2]);
    display_pilots(display_at, oled);
    for_membrane(keypad_at, get(membrane, "size"), get(membrane, "tail"));
    for_membrane_marks(keypad_at, get(membrane, "size"), get(membrane, "pitch"));
}

module keypad() {
    on_lid(front) translate([keypad_at[0], keypad_at[1], lid_t + 0.02]) {
        translate([-get(membrane, "size")[0] / 2, 0, 0]) cube(get(membrane, "size"));
        tail = get(membrane, "tail");
        translate([-tail[0] / 2, -tail[1] - 1, -lid_t - 8]) cube([tail[0], tail[1], lid_t + 8]);
    }
}

module body(name) {
    if (name == "base") base();
    if (name == "lid") on_lid(front) translate([0, 0, 0.02]) lid();
    if (name == "computer") turned() computer(slack, get(pi, "header")[4]);
    if (name == "plugs") turned() plugs(slack);
    if (name == "display") on_lid(front) display_body(display_at, oled, slack);
    if (name == "keypad") keypad();
    // A computer with sockets at its side is laid in to the right of its place, a little to the front.
    if (name == "sliding") translate(model == "zero" ? [0, 0, 0] : [3, -1.5, 0]) turned() computer(0, get(pi, "header")[4]);
}

module picture(apart) {
    color("SteelBlue") base();
    color("SeaGreen") turned() computer(0, get(pi, "header")[4]);
    translate([0, apart / 2, apart]) {
        color("LightSteelBlue") on_lid(front) lid();
        color("DimGray") keypad();
        on_lid(front) {
            keys(keypad_at, get(membrane, "pitch"));
            color("Black") display_body(display_at, oled, 0);
            lit_display(display_at, oled);
            on_keys(keypad_at, get(membrane, "pitch"));
        }
    }
}

if (show == "base") base();
if (show == "lid") rotate([180, 0, 0]) translate([0, 0, -lid_t]) lid();
if (show == "closed") picture(0);
if (show == "open") picture(80);
if (show == "body") body(which);
