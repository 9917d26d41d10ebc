/** Has the browser save something as a file. A link would send no key. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address only after this has returned.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
