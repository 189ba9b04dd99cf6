import { me as t } from '../../../strings/en/me.ts';
import { percent } from '../../../strings/format.ts';
import { Choice, Switch } from '../../../ui/index.ts';
import { densities, setAppearance, textSizes, themes, useAppearance } from '../../appearance/index.ts';
import { Group, Page } from '../../settings/index.ts';
import { Sample } from './Sample.tsx';

const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

/** Appearance settings of this browser, which take effect immediately. */
export function Appearance() {
  const { theme, density, textSize, motion } = useAppearance();
  return (
    <Page title={t.sections.appearance} lead={t.appearance.lead}>
      <Sample />
      <Group title={t.appearance.theme}>
        <Choice
          label={t.appearance.theme}
          isLabelHidden
          options={themes.map((value) => ({ value, label: t.appearance.themes[value], icon: icons[value] }))}
          value={theme}
          onValue={(value) => setAppearance({ theme: value })}
        />
      </Group>
      <Group title={t.appearance.density} lead={t.appearance.densityMore}>
        <Choice
          label={t.appearance.density}
          isLabelHidden
          options={densities.map((value) => ({ value, label: t.appearance.densities[value] }))}
          value={density}
          onValue={(value) => setAppearance({ density: value })}
        />
      </Group>
      <Group title={t.appearance.textSize} lead={t.appearance.textSizeMore}>
        <Choice
          label={t.appearance.textSize}
          isLabelHidden
          options={textSizes.map((size) => ({ value: String(size), label: percent(size / 100) }))}
          value={String(textSize)}
          onValue={(value) => {
            const size = textSizes.find((each) => String(each) === value);
            if (size) setAppearance({ textSize: size });
          }}
        />
      </Group>
      <Group title={t.appearance.motion}>
        <Switch
          label={t.appearance.reduced}
          hint={t.appearance.reducedMore}
          isOn={motion === 'reduced'}
          onChange={(isOn) => setAppearance({ motion: isOn ? 'reduced' : 'system' })}
        />
      </Group>
    </Page>
  );
}
