// Questions at the terminal: the accepted answers, the repeated questions, and the ways to leave.
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { readAnswer } from '../../src/cli/gate/answer-input.ts';
import { askGate, type Person } from '../../src/cli/gate/ask-gate.ts';
import { personAt } from '../../src/cli/gate/ask-open-gates.ts';
import { openTerminal } from '../../src/cli/terminal.ts';
import type { GateKind } from '../../src/engine/record/gate-events.schema.ts';
import { defaultDecision } from '../../src/template/step-defaults.ts';
import { plainText } from '../../src/view/line.ts';
import { atTerminal, hasScript } from './pty.ts';
import { callsOf, openDoor, reconverge } from './reconverge.ts';

/** A person who types these lines and leaves; `told` keeps the text shown to them. */
function typing(...lines: readonly string[]): Person & { readonly told: string[] } {
  const left = [...lines];
  const told: string[] = [];
  return {
    told,
    say: (said) => told.push(...said.map(plainText)),
    ask: async (prompt) => {
      told.push(prompt);
      return left.shift();
    },
  };
}

const consent = defaultDecision;
const gate = (decision: JsonObject, kind: GateKind = 'review') => ({ id: 'g1', kind, decision });

describe('a gate that asks for approval', () => {
  it.each([
    [['y', ''], { verdict: 'approve' }],
    [['YES'], { verdict: 'approve' }],
    [['y', ' well done '], { verdict: 'approve', why: 'well done' }],
    [['n', ''], { verdict: 'reject' }],
    [['no', ' too late '], { verdict: 'reject', why: 'too late' }],
    [['perhaps', '', 'y'], { verdict: 'approve' }],
  ])('takes %j', async (lines, said) => {
    expect(await askGate(typing(...lines), gate(consent))).toEqual({ said });
    expect(await askGate(typing(...lines), gate({}, 'approval'))).toEqual({ said });
    expect(await askGate(typing(...lines), gate({}, 'plan_review'))).toEqual({ said });
  });

  it('lists the accepted answers after any other answer', async () => {
    const person = typing('perhaps', 'y');
    await askGate(person, gate(consent));
    expect(person.told).toContain('say y, n or s');
  });

  it('stays open after s, and when the person has left', async () => {
    expect(await askGate(typing('s'), gate(consent))).toEqual({ left: 'later' });
    expect(await askGate(typing(), gate(consent))).toEqual({ left: 'gone' });
  });
});

describe('a gate that asks for a value', () => {
  it.each<readonly [JsonObject, readonly string[], unknown]>([
    [{ type: 'string' }, ['42'], '42'],
    [{ type: 'string' }, ['"s"'], 's'],
    [{ type: 'boolean' }, ['maybe', 'n'], false],
    [{ enum: ['red', 'green'] }, ['blue', 'Green'], 'green'],
    [{ type: 'integer', minimum: 1 }, ['0', 'many', '7'], 7],
    [{ type: 'array', items: { type: 'integer' } }, ['1, 2', '[1, 2]'], [1, 2]],
    [{}, ['{"any": "thing"}'], { any: 'thing' }],
    [{}, ['a word'], 'a word'],
  ])('with the contract %j takes the last of %j', async (decision, lines, value) => {
    expect(await askGate(typing(...lines), gate(decision, 'clarification'))).toEqual({
      said: { verdict: 'answer', value },
    });
  });

  const answer: JsonObject = {
    type: 'object',
    required: ['answer'],
    properties: { limit: { type: 'integer' }, answer: { enum: ['raise', 'converge'] } },
  };

  it('asks for each property, required ones first, and leaves out empty answers', async () => {
    const person = typing('', 'lower', 'raise', '');
    expect(await askGate(person, gate(answer))).toEqual({ said: { verdict: 'answer', value: { answer: 'raise' } } });
    expect(person.told.filter((line) => line.startsWith('answer: Which answer? (1 raise, 2 converge)'))).toHaveLength(
      3,
    );
    expect(person.told.at(-1)).toContain('limit: How many at most? (for example 10, 25, 50), may be left empty');
  });

  it('takes an empty line as no answer when it needs a number, and asks again', async () => {
    const alone = typing('', '7');
    expect(await askGate(alone, gate({ type: 'integer' }))).toEqual({ said: { verdict: 'answer', value: 7 } });
    expect(alone.told[1]).toBe('an answer is needed');
    const n = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const asked = typing('', '7');
    expect(await askGate(asked, gate(n))).toEqual({ said: { verdict: 'answer', value: { n: 7 } } });
    expect(asked.told[1]).toBe('an answer is needed');
  });

  it('asks again when the answers do not fit together', async () => {
    const either: JsonObject = {
      ...answer,
      anyOf: [{ properties: { answer: { const: 'converge' } } }, { required: ['limit'] }],
    };
    const lines = ['raise', '', 'raise', '9'];
    expect(await askGate(typing(...lines), gate({ ...either, required: ['answer'] }, 'exhaustion'))).toEqual({
      said: { verdict: 'answer', value: { answer: 'raise', limit: 9 } },
    });
  });

  it('accepts a choice by its number or by its first letters', async () => {
    for (const line of ['2', 'conv', 'CONVERGE']) {
      const said = await askGate(typing(line, ''), gate(answer));
      expect(said).toEqual({ said: { verdict: 'answer', value: { answer: 'converge' } } });
    }
  });

  it('repeats a question at most twice, and then stays open', async () => {
    const person = typing('a', 'b', 'x', 'raise');
    expect(await askGate(person, gate({ enum: ['raise', 'converge'] }))).toEqual({ left: 'later' });
    expect(person.told.at(-1)).toBe('this is left open for later');
    expect(await askGate(typing('a', 'b', 'c', 'y'), gate(consent))).toEqual({ left: 'later' });
  });

  it('can be left open halfway', async () => {
    expect(await askGate(typing('raise', 's'), gate(answer))).toEqual({ left: 'later' });
  });
});

describe('an answer on the command line', () => {
  it.each<[string, JsonObject, Json]>([
    ['bug, ui', { type: 'array', items: { type: 'string' } }, ['bug', 'ui']],
    ['bug', { type: 'array', items: { type: 'string' } }, ['bug']],
    ['off', { type: 'boolean' }, false],
    ['2', { enum: ['open', 'closed'] }, 'closed'],
    ['a, b', { type: 'string' }, 'a, b'],
    ['7', { type: 'string' }, '7'],
    ['soon', { type: 'integer' }, 'soon'],
  ])('"%s" is read as at a terminal', (word, decision, value) => {
    expect(readAnswer([word], '--answer', decision)).toEqual(value);
    expect(readAnswer([`it=${word}`], '--answer', { type: 'object', properties: { it: decision } })).toEqual({
      it: value,
    });
  });
});

describe('the person at a terminal', () => {
  it('is asked line by line, even if several lines arrive at once, and is gone when the input ends', async () => {
    const keyboard = new PassThrough();
    const screen = new PassThrough();
    const person = personAt(openTerminal(process.stdout, process.stderr), keyboard, screen);
    keyboard.write('one\ntwo\n');
    expect(await person.ask('first? ')).toBe('one');
    expect(await person.ask('second? ')).toBe('two');
    keyboard.end();
    expect(await person.ask('third? ')).toBeUndefined();
    expect(await person.ask('fourth? ')).toBeUndefined();
    person.leave();
  });
});

const asks = `
reconverge: 1
name: asks
capabilities: [./handlers.ts]
steps:
  - name: check
    type: human_review
    prompt: Was he here?
  - name: who
    type: human_review
    prompt: Who was it?
    decision: { type: string }
  - name: last
    handler: door.note
    dependencies: [check, who]
    input: { name: "{{ results.who }}" }
`;

describe.skipIf(!hasScript)('a run at a terminal', () => {
  it('asks its question, repeats it after an invalid answer, and goes on', async () => {
    const cwd = openDoor({ 'asks.yaml': asks });
    const { code, seen } = await atTerminal(cwd, ['run', 'asks.yaml'], {
      talk: [
        ['approve? y or n', 'what?\r'],
        ['say y, n or s', ''],
        ['approve? y or n', 'y\r'],
        ['a note?', '\r'],
        ['answer, text', 'ben\r'],
      ],
    });
    expect(seen).toContain('completed');
    expect(code).toBe(0);
    expect(callsOf(cwd)).toEqual(['ben']);
  });

  it('leaves a gate open for later, and exits with 3', async () => {
    const cwd = openDoor({ 'asks.yaml': asks });
    const { code, seen } = await atTerminal(cwd, ['run', 'asks.yaml'], {
      talk: [
        ['approve? y or n', 's\r'],
        ['answer, text', 'ann\r'],
      ],
    });
    expect(code).toBe(3);
    expect(seen).toMatch(/review [a-z0-9]+ g1 --approve/);
    expect(JSON.parse((await reconverge(['gates', '--json'], { cwd })).stdout).gates).toMatchObject([{ gate: 'g1' }]);
  });

  it('keeps waiting after Ctrl-C, and asks again when it is resumed', async () => {
    const cwd = openDoor({ 'asks.yaml': asks });
    expect((await atTerminal(cwd, ['run', 'asks.yaml'], { talk: [['approve? y or n', '\u0003']] })).code).toBe(3);
    const resumed = await atTerminal(cwd, ['resume', 'latest'], {
      talk: [
        ['approve? y or n', 'n\r'],
        ['why not?', 'he was not\r'],
        ['answer, text', 'ann\r'],
      ],
    });
    expect(resumed.code).toBe(1);
    expect(resumed.seen).toContain('he was not');
  });

  it('asks nothing if a flag forbids it', async () => {
    const cwd = openDoor({ 'asks.yaml': asks });
    for (const flag of ['--no-ask', '--quiet', '--json']) {
      const { code, seen } = await atTerminal(cwd, ['run', 'asks.yaml', flag]);
      expect(code).toBe(3);
      expect(seen).not.toContain('approve? y or n');
    }
  });
});
