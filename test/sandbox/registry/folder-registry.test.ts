import { FolderRegistry } from '../../../sandbox/registry/folder-registry.ts';
import { folderForEach } from '../../support/temporary-folder.ts';
import { registryContract } from './registry-contract.ts';

const folder = folderForEach();

registryContract(() => ({ registry: new FolderRegistry(folder()), other: new FolderRegistry(folder()) }));
