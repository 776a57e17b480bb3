export { createInspector, type Inspector, type InspectorOptions } from "./create-inspector.ts";
export { createDemoStore } from "./demo/demo-store.ts";
export { recordTrajectory, type RecordTrajectoryOptions } from "./recorded/record-trajectory.ts";
