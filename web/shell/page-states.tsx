import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass, RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { messageOf, RequestFailedError } from '../client/request.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Loading } from '../parts/loading.tsx';

/** While a page's code or first answer is on its way. */
export function PageLoading(): ReactElement {
  return <Loading label="The page is loading" rows={6} />;
}

/** An address that leads nowhere. */
export function NoPage(): ReactElement {
  return (
    <>
      <PageHeader title="No such page" hidden />
      <EmptyState icon={Compass} title="There is no page here">
        <p>The address may have been mistyped, or what it showed is gone.</p>
        <Link to="/">Go to the start page</Link>
      </EmptyState>
    </>
  );
}

/** A page that could not be shown. */
export function PageFailed({ error, reset }: ErrorComponentProps): ReactElement {
  if (isOldCode(error)) {
    return (
      <>
        <PageHeader title="A newer version is here" hidden />
        <EmptyState icon={RotateCw} title="The page was updated">
          <p>This page’s code comes from an earlier version of the server. Load it anew to go on.</p>
          <Button tone="primary" onClick={() => window.location.reload()}>
            Load anew
          </Button>
        </EmptyState>
      </>
    );
  }
  const missing = error instanceof RequestFailedError && error.status === 404;
  return (
    <>
      <PageHeader title={missing ? 'Not found' : 'Something went wrong'} />
      <ErrorState error={messageOf(error)} retry={reset} />
    </>
  );
}

/** Whether a part of the page's code is not there any more: the server was updated while the page was open. */
function isOldCode(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
  );
}
