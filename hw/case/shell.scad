// SPDX-License-Identifier: CERN-OHL-P-2.0
// A wedge with a flat lid: what the box and the seat keypad have in common. Millimetres.
// x runs to the right, y away from the player, z up. On the lid u is x, v runs up the slope, w is
// out of it. Nothing here needs supports: the base is printed as it stands, the lid face down.

wall = 2.4;
floor_t = 2.4;
lid_t = 2.8;
corner_r = 4;
tilt = 12;            // toward the player
slack = 0.3;          // between what is printed and what goes in
screw_d = 3.4;        // M3 goes through the lid
screw_pilot = 2.6;    // and cuts its own thread in the base
screw_deep = 11;
post = 10;            // a post for a screw is a square of this
screw_in = 5;         // from the lid's edges to the screws
$fn = 32;
assert(min(wall, floor_t, lid_t) >= 2, "a wall is thinner than 2 mm");

function get(part, name) = part[search([name], part)[0]][1];

// From the lid's own coordinates to the world's.
module on_lid(front) translate([0, 0, front]) rotate([tilt, 0, 0]) children();

module rounded(size, height, r) linear_extrude(height)
    translate([r, r]) offset(r) square([size[0] - 2 * r, size[1] - 2 * r]);

// Everything below the lid.
module below_lid(size, front) rotate([90, 0, 90]) linear_extrude(size[0])
    polygon([[0, 0], [size[1], 0], [size[1], front + size[1] * tan(tilt)], [0, front]]);

// Screws are [u, v, z]: the post begins at z. One that begins above the floor grows out of its corner
// at 45°, so that it prints in the air.
module posts(screws, size) for (screw = screws) {
    left = screw[0] < size[0] / 2;
    x = left ? 0.5 : size[0] - 0.5 - post;
    y = min(max(screw[1] * cos(tilt) - post / 2 + 1, 0.5), size[1] - 0.5 - post);
    if (screw[2] == 0) translate([x, y, 0.5]) cube([post, post, 100]);
    else hull() {
        translate([left ? 0.5 : size[0] - 1.5, size[1] - 1.5, screw[2]]) cube([1, 1, 100]);
        translate([x, y, screw[2] + post]) cube([post, post, 100]);
    }
}

// A stand-off that is broad where it can be and narrow where the board leaves little room.
module standoff(at, height, top_d, pilot) translate([at[0], at[1], floor_t - 0.01]) difference() {
    cylinder(d1 = top_d + 2.5, d2 = top_d, h = height + 0.01);
    translate([0, 0, 0.2]) cylinder(d = pilot, h = height);
}

// Children are cut out of it; what stands on the floor is added by the caller.
module base_shell(size, front, screws) difference() {
    intersection() {
        union() {
            difference() {
                rounded(size, 100, corner_r);
                translate([wall, wall, floor_t])
                    rounded([size[0] - 2 * wall, size[1] - 2 * wall], 100, corner_r - wall);
            }
            intersection() {
                posts(screws, size);
                rounded(size, 100, corner_r);
            }
        }
        below_lid(size, front);
    }
    on_lid(front) for (screw = screws)
        translate([screw[0], screw[1], -screw_deep]) cylinder(d = screw_pilot, h = screw_deep + 5);
    children();
}

// The lid as it lies on the base, its underside at w = 0. Tabs at v = tabs on both sides and at
// u = back_tab keep it from sliding.
module lid_plate(size, screws, tabs, back_tab) {
    long = size[1] / cos(tilt);
    deep = 4;
    difference() {
        rounded([size[0], long], lid_t, corner_r);
        for (screw = screws) translate([screw[0], screw[1], -1]) cylinder(d = screw_d, h = lid_t + 2);
    }
    for (left = [true, false])
        translate([left ? wall + slack : size[0] - 2 * wall - slack, tabs - 8, -deep])
            cube([wall, 16, deep + 1]);
    back = (size[1] - wall - slack - deep * sin(tilt)) / cos(tilt);
    translate([back_tab - 8, back - wall, -deep]) cube([16, wall, deep + 1]);
}

// A window that widens outward, so that one sees all of the display from the side.
module window(at, view) {
    flat = 0.8;
    translate([at[0] - view[0] / 2, at[1] - view[1] / 2, -1]) cube([view[0], view[1], lid_t + 2]);
    hull() {
        translate([at[0] - view[0] / 2, at[1] - view[1] / 2, flat]) cube([view[0], view[1], 0.01]);
        translate([at[0] - view[0] / 2 - lid_t + flat, at[1] - view[1] / 2 - lid_t + flat, lid_t])
            cube([view[0] + 2 * (lid_t - flat), view[1] + 2 * (lid_t - flat), 0.01]);
    }
}

// The keypad's tail goes through a slot in front of it; a groove shows where to stick the keypad.
module for_membrane(at, size, tail) {
    translate([at[0] - tail[0] / 2 - slack, at[1] - tail[1] - 1.2, -1])
        cube([tail[0] + 2 * slack, tail[1] + 2 * slack, lid_t + 2]);
    translate([0, 0, lid_t - 0.4]) difference() {
        translate([at[0] - size[0] / 2 - 0.8, at[1] - 0.2, 0])
            cube([size[0] + 1.6, size[1] + 1, 1]);
        translate([at[0] - size[0] / 2, at[1] - 1, -1]) cube([size[0], size[1] + 1, 3]);
    }
}

// Where the 5 is, by touch: in the row of the 4, and above the column of the 2. The lid is printed on
// its face, so what stands out can't be printed with it: pieces of filament are glued into these holes.
mark_d = 1.9;         // filament is 1.75 thick
mark_deep = 1.4;      // a piece of 2.0 stands out by 0.6
mark_off = 2.7;       // from the keypad, or from the edge of its window, to the hole's centre
module for_marks(row, column) for (at = [row, column])
    translate([at[0], at[1], lid_t - mark_deep]) cylinder(d = mark_d, h = mark_deep + 1);

module for_membrane_marks(at, size, pitch) for_marks(
    [at[0] - size[0] / 2 - mark_off, at[1] + 12.5 + 2 * pitch],
    [at[0] - 0.5 * pitch, at[1] + size[1] + mark_off]);

// Bosses for a display whose glass lies against the lid; the holes end inside of the lid.
module display_bosses(at, oled) for (x = [-1, 1], y = [-1, 1])
    translate([at[0] + x * get(oled, "holes")[0] / 2, at[1] + y * get(oled, "holes")[1] / 2,
               -get(oled, "glass")[2]])
        cylinder(d = get(oled, "hole") + 1.6, h = get(oled, "glass")[2] + 0.5);

module display_pilots(at, oled) for (x = [-1, 1], y = [-1, 1])
    translate([at[0] + x * get(oled, "holes")[0] / 2, at[1] + y * get(oled, "holes")[1] / 2,
               -get(oled, "glass")[2] - 1])
        cylinder(d = get(oled, "hole") * 0.8, h = get(oled, "glass")[2] + 2.4);

// What the display takes below the lid, and the way from its lit part to the player's eyes.
module display_body(at, oled, grow, wired = true) {
    size = get(oled, "size");
    glass = get(oled, "glass");
    plug = get(oled, "plug");
    translate([at[0] - glass[0] / 2 - grow, at[1] - glass[1] / 2 - grow, -glass[2]])
        cube([glass[0] + 2 * grow, glass[1] + 2 * grow, glass[2] - 0.01]);
    translate([at[0] - size[0] / 2 - grow, at[1] - size[1] / 2 - grow, -glass[2] - size[2] - grow])
        cube([size[0] + 2 * grow, size[1] + 2 * grow, size[2] + grow - 0.01]);
    if (wired) translate([at[0] - plug[0] / 2, at[1] + size[1] / 2 - plug[1] - 0.5, -glass[2] - size[2] - plug[2]])
        cube(plug);
    view = get(oled, "view");
    if (grow > 0) translate([at[0] - view[0] / 2 - grow, at[1] + get(oled, "view_up") - view[1] / 2 - grow, 0])
        cube([view[0] + 2 * grow, view[1] + 2 * grow, 20]);
}

// The membrane's keys, for the pictures.
module keys(at, pitch) color("Gainsboro") for (x = [-1.5:1.5], y = [0:3])
    translate([at[0] + x * pitch - 6, at[1] + 7 + y * pitch, lid_t + 0.9]) cube([12, 11, 0.4]);

// For the pictures: the display's lit pixels, and the words on the keys. Needs screen.scad.
module lit_display(at, oled) color("PaleTurquoise") {
    view = get(oled, "view");
    dot = view[0] / pixels[0];
    translate([at[0] - view[0] / 2, at[1] + get(oled, "view_up") + view[1] / 2, 0]) for (run = lit)
        translate([run[0] * dot, -(run[1] + 1) * dot, 0]) cube([run[2] * dot, dot * 0.9, 0.1]);
}

module legend(word, wide) color("Black") linear_extrude(0.1)
    resize(len(word) > 3 ? [wide - 1, 0] : [0, 0], auto = true)
        text(word, size = len(word) > 1 ? 4 : 5.5, halign = "center", valign = "center", font = "DejaVu Sans:style=Bold");

// The words on the membrane's keys.
module on_keys(at, pitch) for (x = [0:3], y = [0:3])
    translate([at[0] + (x - 1.5) * pitch, at[1] + 12.5 + y * pitch, lid_t + 1.3]) legend(legends[y][x], 12);
