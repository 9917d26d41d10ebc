import {
  type ActionOutcome,
  type ActionRequest,
  NOT_EXECUTED,
  type SandboxInfo,
} from '@steadyhand/contracts';
import {
  type ActionPolicy,
  factsOf,
  performGuarded,
  refusalText,
  type SourcedPolicy,
} from '@steadyhand/sessions';
import type { SandboxService } from './services.ts';

/** The policies that hold for a sandbox of one's own: the server's, and the one that it was created with. */
export function policiesOf(
  server: ActionPolicy | undefined,
  { policy }: SandboxInfo,
): readonly SourcedPolicy[] {
  return [
    ...(server === undefined ? [] : [{ source: 'server', policy: server } as const]),
    // This policy was checked when the sandbox was created.
    ...(policy === undefined ? [] : [{ source: 'sandbox', policy: policy as ActionPolicy } as const]),
  ];
}

/**
 * The same sandboxes, but an action that the policies do not allow is answered with an error, after which no further member of
 * a toolset is carried out. `ask` counts as a refusal, because there is nobody to answer.
 */
export function underPolicies(
  sandboxes: SandboxService,
  policies: readonly SourcedPolicy[],
): Pick<SandboxService, 'performAll'> {
  if (policies.length === 0) return sandboxes;
  return {
    performAll: async (id, requests, options) => {
      const outcomes: ActionOutcome[] = [];
      let failed = false;
      for (const request of requests) {
        const isMember = request.tool.type === 'computer_toolset_20260801';
        const outcome: ActionOutcome =
          failed && isMember
            ? refusal(NOT_EXECUTED)
            : await performOne(sandboxes, { id, request, policies, options });
        outcomes.push(outcome);
        failed ||= isMember && (outcome.status === 'unknown' || outcome.is_error);
      }
      return outcomes;
    },
  };
}

async function performOne(
  sandboxes: SandboxService,
  {
    id,
    request,
    policies,
    options,
  }: {
    readonly id: string;
    readonly request: ActionRequest;
    readonly policies: readonly SourcedPolicy[];
    readonly options: { readonly signal: AbortSignal };
  },
): Promise<ActionOutcome> {
  const { type, name } = request.tool;
  options.signal.throwIfAborted();
  const done = await performGuarded(
    {
      windowTitle: () => sandboxes.windowTitle(id),
      isKnown: () => sandboxes.isKnown(id, request.key),
      perform: async (title) => {
        const action = title === undefined ? request : { ...request, only_if_window: title };
        const [outcome] = await sandboxes.performAll(id, [action], options);
        if (outcome === undefined) throw new Error(`the sandbox gave no outcome for ${request.key}`);
        return outcome;
      },
    },
    { policies, facts: factsOf({ type, name, input: request.input }), confirmed: false },
  );
  if ('outcome' in done) return done.outcome;
  return refusal('refused' in done ? refusalText(done.refused) : done.objection);
}

function refusal(content: string): ActionOutcome {
  return { status: 'done', is_error: true, content };
}
