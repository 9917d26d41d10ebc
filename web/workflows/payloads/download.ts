/** Has the browser save bytes as a file. */
export function saveAs(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
