// The entry point for tests: templates without the outside world, suites for implementations of ports, and scripted models.
export type { Script, ScriptCondition, ScriptReply, ScriptRule } from '../llm/script.ts';
export { type ScriptedModel, scriptedModel } from '../llm/scripted-model.ts';
export { wordEmbedder } from '../llm/word-embedder.ts';
export type { Scenario } from '../template/schema/scenarios.ts';
export { embedderSuite } from './embedder-suite.ts';
export { given, type RunAtRest, type Situation } from './given.ts';
export { journalSuite } from './journal-suite.ts';
export { type ModelServer, type ModelServerOptions, openModelServer, type ServedRequest } from './model-server.ts';
export { type ModelUnderTest, modelSuite } from './model-suite.ts';
export { type PlayedScenario, type PlayOptions, playScenario } from './scenarios/play-scenario.ts';
export { readScenarios, type ScenarioFile } from './scenarios/read-scenarios.ts';
export { type ServerKind, serverKinds } from './servers/server-kinds.ts';
export type { Setting, Stub, StubbedCall } from './setting.ts';
