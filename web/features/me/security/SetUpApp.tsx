import { Suspense } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Copy, Dialog, ErrorText, Form, Spinner, TextField } from '../../../ui/index.ts';
import { optional } from '../../../ui/missingPart.ts';
import { withProof } from '../../session/index.ts';
import './setUpApp.css';

// Lazy-loaded, because few users need it.
const QrCode = optional(() => import('../../../ui/QrCode.tsx'));

interface SetUpAppProps {
  /** Called with the recovery codes, which can't be shown again. */
  onDone: (codes: readonly string[]) => void;
  onClose: () => void;
}

/**
 * Sets up an authenticator app: shows the secret, and enables the app once the user has entered a valid
 * code.
 */
export function SetUpApp({ onDone, onClose }: SetUpAppProps) {
  const { data, error, again } = useAsked('secret', () => withProof(() => api('none').personSecondFactor()));
  return (
    <Dialog title={t.factor.setUp} isFirm onClose={onClose}>
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data && (
        <Form
          submit={t.factor.turnOn}
          onCancel={onClose}
          onSubmit={async (values) => {
            const code = values.text('code').replaceAll(/\s/g, '');
            const { codes } = await withProof(() => api('none').personSecondFactorConfirm({ code }));
            onDone(codes);
          }}
        >
          <ol className="set-up-app">
            <li>
              <p>{t.factor.scan}</p>
              <div className="set-up-app-code">
                <Suspense fallback={<Spinner />}>
                  <QrCode text={data.uri} label={t.factor.picture} />
                </Suspense>
              </div>
              <details>
                <summary>{t.factor.cannotScan}</summary>
                <Copy text={data.secret} label={t.factor.copySecret} isShown />
              </details>
            </li>
            <li>
              <TextField
                label={t.factor.firstCode}
                name="code"
                hint={t.factor.firstCodeHint}
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                maxLength={10}
              />
            </li>
          </ol>
        </Form>
      )}
    </Dialog>
  );
}
