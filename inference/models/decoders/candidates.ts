/** Boxes that a model proposes, in the order in which it did; corners in the model's own frame. */
export class Candidates {
  readonly corners: number[] = [];
  readonly scores: number[] = [];
  readonly classes: number[] = [];

  get size(): number {
    return this.scores.length;
  }

  /** Takes what has a finite box of some area, a finite score and a class. */
  push(x1: number, y1: number, x2: number, y2: number, score: number, classId: number): void {
    const finite = Number.isFinite(x2 - x1) && Number.isFinite(y2 - y1) && Number.isFinite(score);
    if (!finite || !(x2 > x1) || !(y2 > y1) || !isIndex(classId)) return;
    this.corners.push(x1, y1, x2, y2);
    this.scores.push(score);
    this.classes.push(classId);
  }

  /** The same for a box given by its centre and size. */
  pushCentred(cx: number, cy: number, width: number, height: number, score: number, classId: number): void {
    this.push(cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2, score, classId);
  }
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
