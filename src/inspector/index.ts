export { createInspector, type Inspector, type InspectorOptions } from "./create-inspector.ts";
export { createDemoStore } from "./demo/demo-store.ts";
export { recordTrajectory } from "./recorded/record-trajectory.ts";
export { serveInspector } from "./serve-inspector.ts";
