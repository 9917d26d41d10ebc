/** Programs without which there is no screen; a window manager is wanted, not needed. */
export const DESKTOP_PROGRAMS = ['Xvfb', 'xdotool'];
