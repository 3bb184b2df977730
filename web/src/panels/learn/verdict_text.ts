// What stands below a question that was answered, a number that was tried, a puzzle that is worked at.
//
//   verdict.1  Who asks to be shown is neither right nor wrong: the reason stands alone. Who answers wrong reads first what is wrong
//              with that answer (SC3).

import type { SceneStepInfo } from '../../protocol/scenes.ts';
import type { OpenScene } from './scenes.ts';

type Answered = Pick<OpenScene, 'answered' | 'verdict' | 'fault' | 'says' | 'puzzle'>;

export function verdictText(step: SceneStepInfo, { answered, verdict, fault, says, puzzle }: Answered): string {
  if (step.puzzle !== undefined)
    return puzzle.solved ? step.puzzle.solved : [puzzle.tried ?? '', step.puzzle.hint].join(' ').trim();
  if (!answered) return '';
  if (step.question === undefined) return says ?? '';
  const { reason } = step.question;
  if (verdict === undefined) return reason;
  return verdict ? `Right. ${reason}` : ['Not so.', fault, reason].filter((part) => part !== undefined).join(' ');
}
