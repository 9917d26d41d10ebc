/** Runs before `npm start`, whose command line needs a Unix shell. */
if (process.platform === 'win32') {
  console.error(
    'On Windows, Steadyhand runs under WSL: `wsl --install -d Debian`, then `npm start` in there.',
  );
  process.exit(1);
}
