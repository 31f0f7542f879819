// SPDX-License-Identifier: CERN-OHL-P-2.0
// The box for the circuit board: the board lies parallel to the lid, screwed to three posts of the
// base; the Raspberry Pi hangs below it, the display lies on it. The lid leaves the block of keys open.
include <parts.scad>
include <screen.scad>
include <shell.scad>

model = "pi4";           // [zero, pi3, pi4, pi5]
oled_model = "oled13";   // [oled096, oled13]
include <computer.scad>
show = "open";           // [base, lid, closed, open, body]
which = "base";          // the body that is shown: base, lid, stack, plugs, caps, heads, driver, sliding

front = 16.5;            // height of the front edge below the lid
front_gap = 1.5;         // from the front wall to the board
back_gap = 3;            // from the board to the wall behind
side_gap = 0.5;          // from the left wall to a large Pi: its USB sockets end where the wall does
right = 12;              // beside the board, for the screws and for sliding it in
cap_play = 0.5;          // round the block of keys
play = 1.5;              // round the power key

pcb = [get(pcb_board, "width"), get(pcb_board, "depth"), get(pcb_board, "thickness")];
holes_far = model == "zero" ? get(pcb_pi, "holes_zero") : get(pcb_pi, "holes_big");
pi_hole = get(pi, "holes")[0];
// The computer's corner (0, 0) on the circuit board.
pi_corner = [holes_far[1][0] + pi_hole[0], holes_far[1][1] - pi_hole[1]];
// A large Pi reaches beyond the board on the left.
beyond = get(pi4, "size")[0] - get(pcb_pi, "holes_big")[1][0] - get(pi4, "holes")[0][0];
// From the board's upper face to the lid: the display's glass lies just below.
lid_up = get(pcb_display, "above") + get(oled13, "size")[2] + get(oled13, "glass")[2] + 0.2;

far_u = wall + side_gap + beyond;             // the board's far left corner on the lid
far_v = wall + front_gap + pcb[1];
size = [far_u + pcb[0] + right + wall, far_v * cos(tilt) + lid_up * sin(tilt) + back_gap + wall];
long = size[1] / cos(tilt);
screws = [[screw_in, screw_in, 0], [size[0] - screw_in, screw_in, 0],
          [screw_in, 44, 0], [size[0] - screw_in, long - screw_in - 1, 0]];

pitch = get(pcb_keys, "pitch");
first = get(pcb_keys, "first");
display_at = [far_u + get(pcb_display, "header")[0],
              far_v - get(pcb_display, "header")[1] + 1.8 - get(oled, "size")[1] / 2];

// From the circuit board's coordinates, y toward the player and z from its upper face.
module on_pcb() on_lid(front) translate([far_u, far_v, -lid_up]) children();
module on_pi() on_pcb() translate([pi_corner[0], -pi_corner[1], -pcb[2] - get(pcb_pi, "spacer") - board[2]])
    rotate(180) children();

module power_key(d, beyond) translate([get(pcb_power, "x"), -get(pcb_power, "y"), get(pcb_power, "height")])
    rotate([-90, 0, 0]) cylinder(d = d, h = get(pcb_power, "y") + beyond);

module pillars() intersection() {
    on_pcb() for (hole = get(pcb_posts, "holes")) translate([hole[0], -hole[1], -pcb[2] - 60]) difference() {
        cylinder(d = 5.6, h = 60);
        translate([0, 0, 60 - 8]) cylinder(d = 2.1, h = 9);
    }
    translate([wall, wall, floor_t - 0.5]) cube([size[0] - 2 * wall, size[1] - 2 * wall, 100]);
}

module base() {
    base_shell(size, front, screws) {
        on_pi() windows(back_gap - 1.5);
        // The board is laid in to the right of its place and slid to the left, until the USB sockets
        // are in their windows: the power key's stem goes along.
        on_pcb() hull() for (x = [0, 3.5]) translate([x, 0, 0])
            power_key(get(pcb_power, "stem") + 2 * play, 20);
        // A cable leaves here when the power socket is far from the wall.
        if (model == "zero") on_pi() translate([40, -60, -2]) cube([22, 40, 12]);
        // Air.
        for (i = [0:5]) translate([size[0] - wall - 1, 50 + 6 * i, 8]) cube([wall + 2, 2.4, 12]);
    }
    pillars();
}

module block(grow, low, high) on_pcb() translate([first[0] - pitch / 2 - grow, -first[1] - 3.5 * pitch - grow, low])
    cube([4 * pitch + 2 * grow, 4 * pitch + 2 * grow, high - low]);

module lid() difference() {
    lid_plate(size, screws, 25, size[0] / 2 + 30);
    window([display_at[0], display_at[1] + get(oled, "view_up")], get(oled, "view") + [2, 2]);
    translate([far_u + first[0] - pitch / 2 - cap_play, far_v - first[1] - 3.5 * pitch - cap_play, -10])
        cube([4 * pitch + 2 * cap_play, 4 * pitch + 2 * cap_play, 20]);
    edge = pitch / 2 + cap_play + mark_off;
    for_marks([far_u + first[0] - edge, far_v - first[1] - pitch],
              [far_u + first[0] + pitch, far_v - first[1] + edge]);
}

// A switch is narrow at the board and wider from where a plate would hold it.
module key_switch() {
    narrow = get(pcb_keys, "body");
    wide = get(pcb_keys, "rim");
    translate([-narrow / 2, -narrow / 2, 0]) cube([narrow, narrow, get(pcb_keys, "plate_top")]);
    translate([-wide / 2, -wide / 2, get(pcb_keys, "plate_top")])
        cube([wide, wide, get(pcb_keys, "height") - get(pcb_keys, "plate_top")]);
}

// Screws: through the board into the spacers, which are there before the keys; into the posts, when
// the keys are there; and into the spacers from below the Pi.
spacer_holes = concat(get(pcb_pi, "holes"), holes_far);
head = get(pcb_screws, "head");
module screw_head() cylinder(d = head, h = get(pcb_screws, "head_height"));
module on_hole(hole) translate([hole[0], -hole[1], 0.02]) children();
module heads() {
    on_pcb() for (hole = concat(spacer_holes, get(pcb_posts, "holes"))) on_hole(hole) screw_head();
    on_pcb() translate([0, 0, -pcb[2] - get(pcb_pi, "spacer") - board[2]])
        for (hole = spacer_holes) translate([hole[0], -hole[1], -0.02]) rotate([180, 0, 0]) screw_head();
}
// The way down to the posts, which the heads and what turns them take between the keys.
module driver() on_pcb() for (hole = get(pcb_posts, "holes"))
    on_hole(hole) translate([0, 0, get(pcb_screws, "head_height")])
        cylinder(d = max(head, get(pcb_screws, "driver")) + slack, h = 80);

// What is soldered below the Pi, but for its screws.
module below() {
    header = get(pi, "header");
    translate([2, 7, -2.5]) cube([board[0] - 4, board[1] - 14, 2.5]);
    translate([header[0], header[1], -2.5]) cube([header[2], header[3], 2.5]);
}

module stack(grow) {
    on_pcb() {
        translate([-grow, -pcb[1] - grow, -pcb[2] + 0.01]) cube([pcb[0] + 2 * grow, pcb[1] + 2 * grow, pcb[2]]);
        // The keys and what is soldered below them.
        for (x = [0:3], y = [0:3]) translate([first[0] + x * pitch, -first[1] - y * pitch, 0]) {
            key_switch();
            translate([-5.9, -2.2, -pcb[2] - 3.4]) cube([11.8, 8.1, 3.4]);
        }
        power_key(get(pcb_power, "stem") + 2 * grow, get(pcb_power, "beyond"));
        translate([get(pcb_power, "x") - 3.8, -get(pcb_power, "y") - 4, -pcb[2] - 5]) cube([7.6, 6, 5]);
        translate([get(pcb_buzzer, "centre")[0], -get(pcb_buzzer, "centre")[1], -pcb[2] + get(pcb_buzzer, "height")])
            cylinder(d = get(pcb_buzzer, "diameter") + 2 * grow, h = -get(pcb_buzzer, "height"));
    }
    // Solder below the Pi, too.
    on_pi() { computer(grow, get(pcb_pi, "spacer")); below(); }
    on_lid(front) translate([0, 0, -lid_up + get(pcb_display, "above") + get(oled, "size")[2] + get(oled, "glass")[2]])
        display_body(display_at, oled, grow, false);
}

module body(name) {
    if (name == "base") base();
    if (name == "lid") on_lid(front) translate([0, 0, 0.02]) lid();
    if (name == "stack") stack(slack);
    if (name == "plugs") on_pi() plugs(slack);
    if (name == "caps") block(0, 6, 22);
    if (name == "heads") heads();
    if (name == "driver") driver();
    if (name == "sliding") translate([3, -1.2 * cos(tilt), -1.2 * sin(tilt)]) stack(0);
}

module picture(apart) {
    color("SteelBlue") base();
    translate([0, 0, apart / 2]) {
        color("SeaGreen") stack(0);
        glass = get(oled, "glass");
        color("Black") on_lid(front) translate([display_at[0] - glass[0] / 2, display_at[1] - glass[1] / 2, -1.2])
            cube([glass[0], glass[1], 1.1]);
        on_lid(front) translate([0, 0, -0.1]) lit_display(display_at, oled);
        color("Gainsboro") on_pcb() for (x = [0:3], y = [0:3])
            translate([first[0] + x * pitch, -first[1] - y * pitch, 10]) hull() {
                translate([-9, -9, 0]) cube([18, 18, 0.1]);
                translate([-6.5, -6, 8]) cube([13, 13, 0.1]);
            }
        on_pcb() for (x = [0:3], y = [0:3])
            translate([first[0] + x * pitch, -first[1] - y * pitch + 0.5, 18.2]) legend(legends[3 - y][x], 12);
    }
    translate([0, apart / 3, apart * 1.4]) color("LightSteelBlue") on_lid(front) lid();
}

if (show == "base") base();
if (show == "lid") rotate([180, 0, 0]) translate([0, 0, -lid_t]) lid();
if (show == "closed") picture(0);
if (show == "open") picture(70);
if (show == "body") body(which);
