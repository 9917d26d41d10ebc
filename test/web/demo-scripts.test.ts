import { scriptProblems } from '../../messages/providers/script/parse-script.ts';
import { DEMO_SCRIPTS } from '../../web/start/scripts.ts';

test.each(DEMO_SCRIPTS)('the model `script` understands the demo $name', ({ steps }) => {
  expect(scriptProblems(steps)).toEqual([]);
});
