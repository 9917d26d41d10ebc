/**
 * Returns `str(Path(path))` of Python's pathlib: without doubled slashes, `.` parts and a slash at the end; `..` stays.
 */
export function pythonPath(path: string): string {
  const root = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : '';
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return root + parts.join('/') || '.';
}
