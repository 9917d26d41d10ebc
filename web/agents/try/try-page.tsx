import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type Agent, call } from '../../client/api.ts';
import { outdate, read } from '../../client/queries.ts';
import { messageOf } from '../../client/request.ts';
import { uploadResources } from '../../client/upload-resources.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TextAreaField, TextField } from '../../parts/fields.tsx';
import { FormPage, FormPart } from '../../parts/form-page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { serverFault } from '../../parts/schema-form/server-fault.ts';
import { useAction } from '../../parts/use-action.ts';
import { ScriptField } from '../../scripts/script-field.tsx';
import { Without } from '../agent-page.tsx';
import { EnvironmentField } from './environment-field.tsx';
import { FilesField } from './files-field.tsx';

/** Starts a session with an agent, and lands in it. */
export function TryPage(): ReactElement {
  const { id } = useParams({ from: '/agents/$id/try' });
  const { data: agent, error, refetch } = useQuery(read('GET /v1/agents/{id}', { params: { id } }));
  if (agent === undefined) return <Without error={error} retry={refetch} />;
  return (
    <>
      <PageHeader
        title={`Try ${agent.name}`}
        back={{ to: `/agents/${encodeURIComponent(id)}`, label: agent.name }}
        facts={<span>{agent.model.id}</span>}
      />
      {agent.archived_at === null ? (
        <TryForm key={id} agent={agent} />
      ) : (
        <EmptyState title="This agent is archived">
          <p>No session can be made from it any more.</p>
        </EmptyState>
      )}
    </>
  );
}

function TryForm({ agent }: { readonly agent: Agent }): ReactElement {
  const { id, model } = agent;
  const [title, setTitle] = useState('');
  const [environment, setEnvironment] = useState('');
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const client = useQueryClient();
  const navigate = useNavigate();
  const action = useAction();
  const start = async (): Promise<void> => {
    try {
      const resources = await uploadResources(files);
      const session = await call('POST /v1/sessions', {
        body: {
          agent: id,
          ...(title.trim() === '' ? {} : { title: title.trim() }),
          ...(environment === '' ? {} : { environment_id: environment }),
          ...(resources.length === 0 ? {} : { resources }),
          initial_events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
        },
      });
      await outdate(client, 'GET /v1/sessions');
      await navigate({ to: '/sessions/$id', params: { id: session.id } });
    } catch (error) {
      const fault = serverFault(messageOf(error), ['title', 'environment_id', 'initial_events']);
      if (fault === undefined) throw error;
      setFaults(new Map([[`/${fault.place.split('/')[1] ?? ''}`, fault.text]]));
    }
  };
  const submit = (): boolean => {
    const missing = text.trim() === '';
    setFaults(new Map(missing ? [['/initial_events', 'Say what it is to do.']] : []));
    if (!missing) action.run(start);
    return !missing;
  };
  const problem = faults.get('/initial_events');
  return (
    <FormPage
      action={action}
      verb="Start the session"
      onSubmit={submit}
      beside={
        <Link to="/agents/$id" params={{ id }} className="button">
          Cancel
        </Link>
      }
    >
      <FormPart title="The session">
        {model.id === 'script' ? (
          <ScriptField label="Script" value={text} onChange={setText} problem={problem} />
        ) : (
          <TextAreaField
            label="First message"
            required
            rows={6}
            placeholder="Say what to do."
            value={text}
            problem={problem}
            onChange={setText}
          />
        )}
        <TextField
          label="Title"
          value={title}
          onChange={setTitle}
          problem={faults.get('/title')}
          hint="By what people find it; the agent’s name unless given."
        />
        <EnvironmentField
          value={environment}
          onChange={setEnvironment}
          problem={faults.get('/environment_id')}
        />
        <FilesField files={files} onChange={setFiles} />
      </FormPart>
    </FormPage>
  );
}
