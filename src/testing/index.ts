// The door for tests: templates run without the world, suites that every implementation of a port runs, and models that answer from a script.
export type { Script, ScriptCondition, ScriptReply, ScriptRule } from '../llm/script.ts';
export { type ScriptedModel, scriptedModel } from '../llm/scripted-model.ts';
export { wordEmbedder } from '../llm/word-embedder.ts';
export { embedderSuite } from './embedder-suite.ts';
export { given, type Happened, type Situation } from './given.ts';
export { journalSuite } from './journal-suite.ts';
export { type ModelServer, type ModelServerOptions, openModelServer, type ServedRequest } from './model-server.ts';
export { type ModelUnderTest, modelSuite } from './model-suite.ts';
export { type Played, type PlayOptions, playScenario } from './scenarios/play-scenario.ts';
export { readScenarios, type ScenarioFile } from './scenarios/read-scenarios.ts';
export type { Scenario } from './scenarios/scenario.ts';
export type { Setting, Stub, StubbedCall } from './setting.ts';
