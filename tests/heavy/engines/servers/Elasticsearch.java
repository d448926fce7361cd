import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.Build;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** Runs one node in the folder it is given, prints its address, and ends with its input. */
public class Elasticsearch {
    static Settings settings(String home) {
        return Settings.builder()
            .put("cluster.name", "test").put("node.name", "n1").put("path.home", home)
            .put("discovery.type", "single-node").put("network.host", "127.0.0.1")
            .put("http.port", "0").put("transport.port", "0")
            .put("http.type", "netty4").put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("node.processors", 1).build();
    }

    /** The HTTP module, which needs a class loader of its own, and so a folder with a description. */
    static PluginsLoader modules(Path folder) throws Exception {
        Files.writeString(folder.resolve("transport-netty4/plugin-descriptor.properties"), """
            name=transport-netty4
            version=1
            description=HTTP
            java.version=17
            classname=org.elasticsearch.transport.netty4.Netty4Plugin
            elasticsearch.version=%s
            """.formatted(Build.current().version()));
        return PluginsLoader.createPluginsLoader(PluginsLoader.loadModulesBundles(folder, false), Set.of(), Map.of(), false);
    }

    public static void main(String[] args) throws Exception {
        PluginsLoader modules = modules(Path.of(args[1]));
        LogConfigurator.configureESLogging();
        Path conf = Files.createDirectories(Path.of(args[0], "config"));
        Node node = new Node(new Environment(settings(args[0]), conf), modules).start();
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
