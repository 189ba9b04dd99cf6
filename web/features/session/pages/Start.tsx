import { siteName } from '../../../api/base.ts';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Icon, type IconName, usePageTitle } from '../../../ui/index.ts';
import { useEntrance } from '../entrance.ts';
import { home } from '../place.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Brand } from './Brand.tsx';
import { Foot } from './Gate.tsx';
import { NewHere } from './SignIn.tsx';
import './Start.css';

const points: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'messages-square', ...t.start.points.talk },
  { icon: 'shield-check', ...t.start.points.own },
  { icon: 'square-terminal', ...t.start.points.build },
];

/** The landing page for visitors without a session. */
export function Start() {
  const { data, error, again } = useEntrance();
  usePageTitle(t.start.tab);
  return (
    <div className="gate">
      <Brand />
      <main className="start">
        <div className="start-words">
          <p className="small muted start-host">
            <Icon name="server" size={16} />
            {siteName()}
          </p>
          <h1 className="start-title">{t.start.title}</h1>
          <p className="start-lead">{t.start.lead}</p>
          <ul className="start-points">
            {points.map(({ icon, title, text }) => (
              <li key={icon} className="start-point">
                <span className="gate-icon">
                  <Icon name={icon} />
                </span>
                <div>
                  <h2 className="start-point-title">{title}</h2>
                  <p className="muted">{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
        <section className="stack gate-card start-card" aria-labelledby="start-sign-in">
          <h2 id="start-sign-in" className="gate-title">
            {t.signIn.title}
          </h2>
          <ErrorText error={error} onAgain={again} />
          <SignInForm to={home()} autoFocus={false} />
          {data && (
            <div className="small muted start-new">
              <NewHere entrance={data} to={home()} />
            </div>
          )}
        </section>
      </main>
      <Foot />
    </div>
  );
}
