import type { Method, Request, Row } from '../row-client.ts';
import { long, seconds } from './values.ts';

const single: readonly [Method, string, Request][] = [
  ['describeNamespace', 'name unknown', { namespace: 'nowhere' }],
  ['describeNamespace', 'neither name nor id', { namespace: '' }],
  ['describeNamespace', 'id unknown', { namespace: '', id: '0198d1a4-0000-7000-8000-000000000000' }],
  ['describeNamespace', 'id that is none', { namespace: '', id: 'x' }],
  [
    'registerNamespace',
    'name that exists',
    { namespace: 'default', workflowExecutionRetentionPeriod: seconds(86400) },
  ],
  ['registerNamespace', 'name empty', { namespace: '', workflowExecutionRetentionPeriod: seconds(86400) }],
  ['registerNamespace', 'no retention', { namespace: 'row-none' }],
  [
    'registerNamespace',
    'retention too short',
    { namespace: 'row-none', workflowExecutionRetentionPeriod: seconds(60) },
  ],
  [
    'registerNamespace',
    'retention negative',
    { namespace: 'row-none', workflowExecutionRetentionPeriod: seconds(-1) },
  ],
  [
    'registerNamespace',
    'name of 1001',
    { namespace: long(1001), workflowExecutionRetentionPeriod: seconds(86400) },
  ],
  ['updateNamespace', 'name unknown', { namespace: 'nowhere' }],
  ['updateNamespace', 'name empty', { namespace: '' }],
  [
    'updateNamespace',
    'retention too short',
    { namespace: 'row-other', config: { workflowExecutionRetentionTtl: seconds(60) } },
  ],
  ['deprecateNamespace', 'name unknown', { namespace: 'nowhere' }],
  ['deprecateNamespace', 'name empty', { namespace: '' }],
  ['getSystemInfo', 'what the server can do', {}],
];

export const namespaces: readonly Row[] = [
  ...single.map(([method, name, request]): Row => ({
    name: `${method}: ${name}`,
    run: (s) => s.call(method, request),
  })),
  {
    name: 'namespace: registered, described, changed and deprecated',
    run: async (s) => {
      const namespace = s.id('row-ns');
      await s.call('registerNamespace', {
        namespace,
        description: 'about',
        ownerEmail: 'me@example.com',
        workflowExecutionRetentionPeriod: seconds(3 * 86400),
        data: { key: 'value' },
      });
      await s.call('registerNamespace', { namespace, workflowExecutionRetentionPeriod: seconds(86400) });
      await s.call('describeNamespace', { namespace });
      await s.call('updateNamespace', {
        namespace,
        updateInfo: { description: 'more', data: { other: 'v' } },
        config: { workflowExecutionRetentionTtl: seconds(2 * 86400) },
      });
      await s.call('describeNamespace', { namespace });
      await s.call('deprecateNamespace', { namespace });
      await s.call('describeNamespace', { namespace });
    },
  },
  ...(
    [
      ['addSearchAttributes', 'none', {}],
      ['addSearchAttributes', 'namespace unknown', { namespace: 'nowhere', searchAttributes: { X: 2 } }],
      ['addSearchAttributes', 'of the system', { searchAttributes: { WorkflowId: 2 } }],
      ['addSearchAttributes', 'type unset', { searchAttributes: { RowUnset: 0 } }],
      ['removeSearchAttributes', 'none', {}],
      ['removeSearchAttributes', 'unknown', { searchAttributes: ['RowUnknown'] }],
      ['removeSearchAttributes', 'of the system', { searchAttributes: ['WorkflowId'] }],
      ['removeSearchAttributes', 'namespace unknown', { namespace: 'nowhere', searchAttributes: ['X'] }],
      ['listSearchAttributes', 'namespace unknown', { namespace: 'nowhere' }],
    ] as const
  ).map(([method, name, request]): Row => ({
    name: `${method}: ${name}`,
    run: (s) => s.operate(method, request),
  })),
];
