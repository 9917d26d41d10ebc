/** Films of screens as WebM, from screenshots or from the segments of a screen recording. */
export { type Film, filmOfPictures, filmOfSegments } from './film.ts';
