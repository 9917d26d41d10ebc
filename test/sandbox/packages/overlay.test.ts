import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layerEtc, overlayCommand } from '../../../sandbox/packages/overlay.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('what packages bring to /usr and /etc', () => {
  const layer = temporaryFolder();
  const root = join(layer, 'root');

  it('is files and folders of their own, never a link that would lead to the machine', () => {
    mkdirSync(join(root, 'etc/steadyhand-brought'), { recursive: true });
    writeFileSync(join(root, 'etc/steadyhand-brought.conf'), '');
    symlinkSync('/root', join(root, 'etc/steadyhand-link'));
    const mounted = layerEtc(layer).filter((word) => word.startsWith('/etc/'));
    expect(mounted.sort()).toEqual(['/etc/steadyhand-brought', '/etc/steadyhand-brought.conf']);
    symlinkSync('/home', join(root, 'usr'));
    expect(overlayCommand(layer, join(layer, 'place'))).toEqual([]);
    rmSync(join(root, 'etc'), { recursive: true });
    symlinkSync('/root', join(root, 'etc'));
    expect(layerEtc(layer)).toEqual([]);
  });
});
