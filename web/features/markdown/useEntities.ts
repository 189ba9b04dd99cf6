import { useEffect, useState } from 'react';
import { hasUncommonEntity, learnEntities } from '../../../server/src/lib/text/entities.ts';

/**
 * Loads all named HTML entities if the text contains an uncommon one. Returns a value that changes once they
 * are loaded, so the text is parsed again.
 */
export function useEntities(content: string): boolean {
  const isMissing = hasUncommonEntity(content);
  const [hasLearned, setLearned] = useState(false);
  useEffect(() => {
    if (!isMissing) return;
    import('../../../server/src/lib/text/allEntities.ts')
      .then(({ allEntities }) => {
        learnEntities(allEntities);
        setLearned(true);
      })
      // While offline, entities are shown as typed.
      .catch(() => undefined);
  }, [isMissing]);
  return hasLearned;
}
