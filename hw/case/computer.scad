// SPDX-License-Identifier: CERN-OHL-P-2.0
// A Raspberry Pi that lies with its header up, its corner (0, 0) and its lower face at the origin, as
// parts.toml says it. Needs parts.scad, shell.scad and `model`, `oled_model`.

pi = model == "zero" ? zero : model == "pi3" ? pi3 : model == "pi4" ? pi4 : pi5;
oled = oled_model == "oled242" ? oled242 : oled_model == "oled13" ? oled13 : oled096;
board = get(pi, "size");

// A socket, or the hole for it and its plug, above a board with its upper face at z = 0.
// `out` and `deep`: from the board's edge outward and inward.
module at_edge(socket, width, low, high, out, deep) {
    at = socket[1];
    if (socket[0] == "power") translate([at - width / 2, -out, low]) cube([width, out + deep, high - low]);
    else translate([board[0] - deep, at - width / 2, low]) cube([out + deep, width, high - low]);
}

module sockets(grow) for (one = get(pi, "sockets"))
    at_edge(one, one[2] + 2 * grow, 0, one[3] + grow, one[4], 6);

module plug(one, grow, out, deep) if (one[5] > 0) {
    middle = one[3] / 2;
    at_edge(one, one[5] + 2 * grow, middle - one[6] / 2 - grow, middle + one[6] / 2 + grow, out, deep);
}

// A window for each plug; a socket that reaches across `gap` into the wall gets a hole, too.
module windows(gap) translate([0, 0, board[2]]) for (one = get(pi, "sockets")) {
    plug(one, 3 * slack, 20, -0.1);
    if (one[5] > 0 || one[4] + slack > gap)
        at_edge(one, one[2] + 4 * slack, -slack, one[3] + 3 * slack, 20, -0.1);
}

module computer(grow, header_height) {
    translate([-grow, -grow, 0.01]) cube([board[0] + 2 * grow, board[1] + 2 * grow, board[2]]);
    translate([0, 0, board[2]]) {
        sockets(grow);
        header = get(pi, "header");
        translate([header[0], header[1], 0]) cube([header[2], header[3], header_height]);
    }
    card = get(pi, "card");
    translate([-card[2] - grow, card[0] - card[1] / 2, -1.2]) cube([10, card[1], 1.2]);
}

module plugs(grow) translate([0, 0, board[2]])
    for (one = get(pi, "sockets")) plug(one, grow, 25, -one[4]);
