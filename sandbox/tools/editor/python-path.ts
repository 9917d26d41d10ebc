/** `str(Path(path))` of Python's pathlib: no doubled slashes, no `.` parts, no slash at the end; `..` stays. */
export function pythonPath(path: string): string {
  const root = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : '';
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return root + parts.join('/') || '.';
}
