// Answers as models and servers really give them, from public issue threads, notebooks and tests of others.
import type { Json } from '../../src/base/json.ts';

interface RealAnswer {
  readonly from: string;
  readonly text: string;
  /** The text without its reasoning. */
  readonly answer: string;
  /** The JSON value in it, if there is one. */
  readonly value?: Json;
}

export const realAnswers: readonly RealAnswer[] = [
  {
    from: 'DeepSeek R1 Distill on SGLang, whose template opens the tag (a notebook of structured outputs)',
    text: 'Putting it all together, I structured the JSON to be clear and concise. That way, the user gets exactly what they asked for without any confusion.\n</think>\n\n```json\n{\n  "city": "Paris",\n  "population figure": {\n    "value": "12.5 million",\n    "context": "Approximate population of the Paris metropolitan area as of the latest estimates"\n  }\n}\n```',
    answer:
      '```json\n{\n  "city": "Paris",\n  "population figure": {\n    "value": "12.5 million",\n    "context": "Approximate population of the Paris metropolitan area as of the latest estimates"\n  }\n}\n```',
    value: {
      city: 'Paris',
      'population figure': {
        value: '12.5 million',
        context: 'Approximate population of the Paris metropolitan area as of the latest estimates',
      },
    },
  },
  {
    from: 'DeepSeek R1 without JSON mode (deepseek-ai/DeepSeek-R1, issue 381)',
    text: '<think>xxxxx</think>json{"a": 1}',
    answer: 'json{"a": 1}',
    value: { a: 1 },
  },
  {
    from: 'Qwen3 with /no_think (xorbitsai/inference, issue 3470)',
    text: '<think>\n</think>\n\n{"intent": "refund"}',
    answer: '{"intent": "refund"}',
    value: { intent: 'refund' },
  },
  {
    from: 'Qwen3 behind an agent that adds a second opening tag (langgenius/dify-plugin-sdks, issue 147)',
    text: '<think><think>\nThe user wants the weather.\n</think>\n\nIt rains.',
    answer: 'It rains.',
  },
  {
    from: 'Qwen3 Thinking 2507, which never opens its tag (SimonSchubert/Kai, issue 301)',
    text: 'First I compare {both} lists [a, b].\n</think>\n\n[1, 2]',
    answer: '[1, 2]',
    value: [1, 2],
  },
  {
    from: 'QwQ (a test of an answer cleaner)',
    text: 'Okay, so I need to find the options. Let me check...\n</think>\n\nSingle\nMarried',
    answer: 'Single\nMarried',
  },
  {
    from: 'gpt-oss, its channels in the content (johnbean393/Sidekick, issue 75)',
    text: '<|channel|>analysis<|message|>User says "hi". Likely they want to start conversation. We should reply politely.<|end|><|start|>assistant<|channel|>final<|message|>Hello Armando! How can I help you today?',
    answer: 'Hello Armando! How can I help you today?',
  },
  {
    from: 'gpt-oss, fine-tuned without reasoning (vllm-project/vllm, issue 23694)',
    text: '<|channel|>final<|message|>{"issues":[]}<|return|>',
    answer: '{"issues":[]}',
    value: { issues: [] },
  },
  {
    from: 'gpt-oss with a constraint on its final channel, and a fence',
    text: '<|channel|>final <|constrain|>json<|message|>```json\n{"status":"OK"}\n```',
    answer: '```json\n{"status":"OK"}\n```',
    value: { status: 'OK' },
  },
  {
    from: 'gpt-oss on a server that drops special tokens (Augustas11/macprovider, issue 743)',
    text: 'analysisWe need to answer "What is 2+2? Answer in one word." The answer is "four".\nWe should output only that word. And nothing else.assistantfinalfour',
    answer: 'four',
  },
  {
    from: 'gpt-oss on a server that drops special tokens and the analysis',
    text: 'assistantfinal{"x":1}',
    answer: '{"x":1}',
    value: { x: 1 },
  },
  {
    from: 'gpt-oss that calls a tool in its text and answers nothing',
    text: '<|channel|>analysis<|message|>I need the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path": "AGENTS.md"}<|call|>',
    answer: '',
  },
  {
    from: 'Magistral (a test of the Mistral tokenizer in vLLM)',
    text: 'Let me think about it.[THINK]2+2 = 4[/THINK]The answer is 4.',
    answer: 'Let me think about it.The answer is 4.',
  },
  {
    from: 'Magistral whose template opens the block',
    text: 'leftover[/THINK]{"sum": 4}',
    answer: '{"sum": 4}',
    value: { sum: 4 },
  },
  {
    from: 'Gemma 4 (odysseus-dev/odysseus, issue 2225)',
    text: '<|channel>thought\ninternal reasoning<channel|>Final answer.',
    answer: 'Final answer.',
  },
  {
    from: 'Gemma 4 on mlx-vlm (Blaizzy/mlx-vlm, issue 899)',
    text: '<|channel>\nThe user is asking what 2+2 is. This is straightforward...\n<channel|>\n4',
    answer: '4',
    value: 4,
  },
  {
    from: 'OpenThinker (Infinitix-LLC/gpt_markdown, issue 42)',
    text: '<|begin_of_thought|>\nTwo and two.\n<|end_of_thought|>\n\n<|begin_of_solution|>\n{"sum": 4}\n<|end_of_solution|>',
    answer: '{"sum": 4}',
    value: { sum: 4 },
  },
  {
    from: 'Marco-o1 and Hunyuan, whose answers have a tag of their own',
    text: '<Thought>\nTwo and two.\n</Thought>\n<answer>\n{"sum": 4}\n</answer>',
    answer: '{"sum": 4}',
    value: { sum: 4 },
  },
  {
    from: 'a model that ran out of tokens in its reasoning (a test of MiniMax M3)',
    text: '<think>me quedé sin tokens pensando...',
    answer: '',
  },
  {
    from: 'DeepSeek R1 with speculative decoding (sgl-project/sglang, issue 6441)',
    text: '{"name": "John Doe", "age": 30}</think>',
    answer: '{"name": "John Doe", "age": 30}',
    value: { name: 'John Doe', age: 30 },
  },
  {
    from: 'Dolphin Mistral, which calls twice (letta-ai/letta, issue 177)',
    text: '{\n  "function": "core_memory_append",\n  "params": {\n    "name": "human",\n    "content": "Horst, 42 years old, from Germany."\n  }\n}\n{\n  "function": "send_message",\n  "params": {\n    "message": "Got it! Your age and nationality are now saved in my memory."\n  }\n}',
    answer:
      '{\n  "function": "core_memory_append",\n  "params": {\n    "name": "human",\n    "content": "Horst, 42 years old, from Germany."\n  }\n}\n{\n  "function": "send_message",\n  "params": {\n    "message": "Got it! Your age and nationality are now saved in my memory."\n  }\n}',
    value: {
      function: 'send_message',
      params: { message: 'Got it! Your age and nationality are now saved in my memory.' },
    },
  },
  {
    from: 'Llama 3, which explains what it wrote',
    text: "Here is the JSON output:\n\n{\n    'passes': True,\n    'diagnosis': None,\n}\n\nNote: I set 'passes' to True because all files are listed [see above].",
    answer:
      "Here is the JSON output:\n\n{\n    'passes': True,\n    'diagnosis': None,\n}\n\nNote: I set 'passes' to True because all files are listed [see above].",
    value: { passes: true, diagnosis: null },
  },
  {
    from: 'Phi-4 reasoning',
    text: '<think>User: asks for JSON. I\'ll produce {"steps": ... }. Let me write </think>{"steps": [{"name": "a"}]}',
    answer: '{"steps": [{"name": "a"}]}',
    value: { steps: [{ name: 'a' }] },
  },
];
