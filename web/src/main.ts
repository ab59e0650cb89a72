import { mount } from "svelte";

import App from "./App.svelte";
import { watchRoute } from "./route.svelte";
import { speech } from "./speech.svelte";
import "./theme.css";

await speech.choose();
watchRoute();
mount(App, { target: document.getElementById("app")! });
