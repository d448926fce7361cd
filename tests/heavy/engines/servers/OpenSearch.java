import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.rankeval.RankEvalModulePlugin;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.script.mustache.MustacheModulePlugin;
import org.opensearch.transport.Netty4ModulePlugin;

/** Runs one node in the folder it is given, prints its address, and ends with its input. */
public class OpenSearch {
    static final List<Class<? extends Plugin>> MODULES = List.of(
        Netty4ModulePlugin.class, CommonAnalysisModulePlugin.class, RankEvalModulePlugin.class, MustacheModulePlugin.class);

    /** A node with modules from the class path: the constructor that takes them is protected. */
    static class Embedded extends Node {
        Embedded(Settings settings, Path conf) {
            super(new Environment(settings, conf), MODULES.stream().map(Embedded::module).toList(), false);
        }

        static PluginInfo module(Class<? extends Plugin> type) {
            return new PluginInfo(type.getName(), "module", "NA", Version.CURRENT, "21", type.getName(), List.of(), false);
        }
    }

    static Settings settings(String home) {
        return Settings.builder()
            .put("cluster.name", "test").put("node.name", "n1").put("path.home", home)
            .put("discovery.type", "single-node").put("network.host", "127.0.0.1")
            .put("http.port", "0").put("transport.port", "0")
            .put("http.type", "netty4").put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("node.processors", 1).build();
    }

    public static void main(String[] args) throws Exception {
        Node node = new Embedded(settings(args[0]), Files.createDirectories(Path.of(args[0], "config"))).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        System.out.println("READY http://127.0.0.1:" + port);
        while (System.in.read() >= 0) { }
        System.exit(0);
    }

    static void close(Node node) {
        try {
            node.close();
        } catch (Exception error) {
            error.printStackTrace();
        }
    }
}
